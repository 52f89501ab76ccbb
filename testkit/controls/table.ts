import { GUARDS } from './guards.ts';

const BEGIN = '<!-- guards: npm test -- testkit/controls -u -->';
const END = '<!-- end of guards -->';

const HEADS = ['Guard', 'Protects', 'Lives in', 'Off in a test', 'Seen without it', 'Seen by'];

/** The guards as people read them in docs/proof.md. */
function tableOf(): string {
  const rows = GUARDS.map(({ name, protects, file, off, behind, sees, control }) => [
    `**${name}**`,
    protects,
    linkTo(file),
    off,
    behind.length === 0 ? sees : `${sees}; only with ${behind.join(', ')} off as well`,
    linkTo(control),
  ]);
  const lines = [HEADS, HEADS.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** A page whose table is what the list says. */
export function withTable(page: string): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error('the page has no place for it');
  return `${before}${BEGIN}\n\n${tableOf()}\n\n${END}${after}`;
}

function linkTo(file: string): string {
  return `[${file.replace(/^.*\//, '')}](../${file})`;
}
