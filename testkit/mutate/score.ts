/** What became of one mutant, as far as a score needs it. */
export type Verdict = Readonly<{
  fileName: string;
  status: string;
  mutatorName: string;
  replacement?: string | undefined;
  location: Readonly<{ start: Readonly<{ line: number; column: number }> }>;
}>;

export type Score = Readonly<{
  /** Mutants that a test noticed: one failed, or did not end. */
  found: number;
  /** All that count: ignored ones do not, nor those that are no program. */
  all: number;
}>;

const FOUND = ['Killed', 'Timeout'];
export const MISSED: readonly string[] = ['Survived', 'NoCoverage'];

export const isMissed = ({ status }: Verdict): boolean => MISSED.includes(status);

export function scoreOf(verdicts: readonly Verdict[]): Score {
  const found = verdicts.filter(({ status }) => FOUND.includes(status)).length;
  return { found, all: found + verdicts.filter(isMissed).length };
}

/** Nothing to find is everything found. */
export function percentOf({ found, all }: Score): number {
  return all === 0 ? 100 : Math.floor((found / all) * 1_000) / 10;
}

/** The line of a survivor: where it is, and what nobody noticed. */
export function survivorLine({ fileName, location, mutatorName, ...one }: Verdict): string {
  const { line, column } = location.start;
  const { status, replacement = '' } = one;
  const text = replacement.replaceAll(/\s+/g, ' ').slice(0, MOST_SHOWN);
  const how = status === 'NoCoverage' ? 'no test runs it' : 'survived';
  return `${fileName}:${line}:${column} ${how}: ${mutatorName} ${text}`.trimEnd();
}

const MOST_SHOWN = 80;

/** File by file, the worst first, and all of them together. */
export function tableOf(folder: string, verdicts: readonly Verdict[]): string[] {
  const files = Map.groupBy(verdicts, ({ fileName }) => fileName);
  const rows = [...files].map(([file, own]) => ({ file, score: scoreOf(own) }));
  rows.sort((one, other) => percentOf(one.score) - percentOf(other.score));
  const all = { file: folder, score: scoreOf(verdicts) };
  const width = Math.max(...[...rows, all].map(({ file }) => file.length));
  return [...rows.filter(({ score }) => score.all > 0), all].map(({ file, score }) => {
    const percent = percentOf(score).toFixed(1).padStart(6);
    return `${file.padEnd(width)} ${percent} %  ${score.found} of ${score.all}`;
  });
}
