import { fileRule } from './rule.ts';
import { lineAt, type Source } from './source.ts';

/** The last migration of 0.1.0. Those up to it made the first schema; no older node was there. */
const LAST_OF_FIRST_RELEASE = 16;

/** `-- contract: unused since 0.2.0, when tickets got a code of their own` */
const CONTRACT = /^[ \t]*--[ \t]*contract:(?=.*\b\d+\.\d+\.\d+\b)(?:[ \t]+\S+){3}/im;

type Statement = Readonly<{
  /** Where it begins, after the comments before it. */
  start: number;
  /** With comments, for the word that allows it. */
  whole: string;
  /** In small letters, one space between words, without comments, strings and bodies. */
  plain: string;
}>;

/**
 * Nodes of the last release serve on the schema of this one: a migration only adds. What takes
 * something away or refuses what was good says since which version nothing uses it.
 */
export const expandOnly = fileRule('expand-only', isNewMigration, (source) => {
  const statements = statementsOf(source);
  const own = new Set(statements.flatMap(({ plain }) => createdTable(plain)));
  return statements
    .filter(({ whole }) => !CONTRACT.test(whole))
    .flatMap((one) =>
      complaintsAbout(one.plain, own).map((what) => ({
        line: lineAt(source, one.start),
        message: `${what}, and nodes of the last release would fail: see docs/upgrade.md`,
      })),
    );
});

function isNewMigration(file: string): boolean {
  const [, number] = /^db\/migrations\/(\d+)_[^/]*\.sql$/.exec(file) ?? [];
  return number !== undefined && Number(number) > LAST_OF_FIRST_RELEASE;
}

function createdTable(plain: string): string[] {
  const [, name] = /^create (?:unlogged )?table (?:if not exists )?([\w."]+)/.exec(plain) ?? [];
  return name === undefined ? [] : [name];
}

/** Wherever it stands: also inside a block of code that is run. */
const TAKES_AWAY: readonly (readonly [RegExp, string])[] = [
  [
    /\bdrop (?:table|view|materialized view|function|procedure|type|schema|policy|trigger)\b/,
    'drops something',
  ],
  [/^truncate\b/, 'empties a table'],
  [/^alter (?!index\b).*\brename\b/, 'renames something'],
  [/^revoke .*\bfrom [^;]*\bvoelgoed_(?:app|jobs)\b/, 'takes a right away'],
];

function complaintsAbout(plain: string, own: ReadonlySet<string>): string[] {
  const found = TAKES_AWAY.filter(([pattern]) => pattern.test(plain)).map(([, what]) => what);
  const [, index] = /^create unique index .*?\bon (?:only )?([\w."]+)/.exec(plain) ?? [];
  if (index !== undefined && !own.has(index)) found.push('makes a rule for rows that others write');
  const [, table = '', actions] =
    /^alter table (?:if exists )?(?:only )?(\S+) (.*)$/.exec(plain) ?? [];
  if (actions === undefined || own.has(table)) return found;
  return [...found, ...partsOf(actions, ',').flatMap(complaintsAboutAction)];
}

const ADDS_RULE = /^add (?:constraint|check|unique|primary key|foreign key|exclude)\b/;

/** One action of ALTER TABLE. A constraint may go: what was good before still is. */
function complaintsAboutAction(action: string): string[] {
  if (ADDS_RULE.test(action)) return ['makes a rule for rows that others write'];
  if (/^add\b/.test(action)) return complaintsAboutColumn(action);
  if (/^drop (?!constraint\b)/.test(action)) return ['drops a column'];
  if (!/^alter\b/.test(action)) return [];
  const change = action.replace(/^alter (?:column )?\S+ /, '');
  if (/^(?:set data )?type\b/.test(change)) return ['changes the type of a column'];
  if (/\bset not null\b/.test(action)) return ['refuses rows without a value'];
  return /\bdrop (?:default|identity|expression)\b/.test(action) ? ['takes a default away'] : [];
}

/** Old nodes do not name the new column when they insert. */
function complaintsAboutColumn(action: string): string[] {
  const filled = /\b(?:default|generated|(?:small|big)?serial)\b/.test(action);
  if (/\bnot null\b/.test(action) && !filled) return ['adds a column that must have a value'];
  const repeated = /\bdefault\b/.test(action) && /\b(?:unique|primary key)\b/.test(action);
  return repeated ? ['makes a rule for rows that others write'] : [];
}

/** Comments and quoted texts become blanks, so that what is left is at the same place. */
const COMMENT = /--[^\n]*|\/\*[\s\S]*?\*\//;
const BODY = /\$(\w*)\$[\s\S]*?\$\1\$/;
const STRING = /'(?:[^']|'')*'/;
const HIDDEN = new RegExp([COMMENT, STRING, BODY].map(({ source }) => source).join('|'), 'g');

function statementsOf({ text }: Source): Statement[] {
  const shown = text.replace(HIDDEN, (part, _tag, at: number) => {
    const isRun = part.startsWith('$') && /\bdo\s*(?:language \w+\s*)?$/i.test(text.slice(0, at));
    return isRun ? opened(part) : blank(part);
  });
  let start = 0;
  return partsOf(shown, ';').flatMap((part) => {
    const from = start;
    start += part.length + 1;
    const plain = part.trim().replace(/\s+/g, ' ').toLowerCase();
    if (plain === '') return [];
    const begins = from + part.search(/\S/);
    return [{ start: begins, whole: text.slice(from, from + part.length), plain }];
  });
}

const blank = (part: string) => part.replace(/[^\n]/g, ' ');

/** A body of DO is run by the migration: what it does, or has done by EXECUTE, are statements. */
function opened(body: string): string {
  return body
    .replace(new RegExp(COMMENT, 'g'), blank)
    .replace(/[$'"]/g, ';')
    .replace(/[()]/g, ' ')
    .replace(/\b(?:begin|then|else|loop|execute)\b/gi, (word) => ';'.padStart(word.length));
}

/** Split where the separator stands outside of parentheses. */
function partsOf(text: string, separator: ',' | ';'): string[] {
  const parts = [''];
  let depth = 0;
  for (const letter of text) {
    if (letter === '(') depth++;
    if (letter === ')') depth--;
    if (letter === separator && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return separator === ',' ? parts.map((part) => part.trim()) : parts;
}
