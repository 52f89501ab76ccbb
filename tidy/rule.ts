import type { Source } from './source.ts';

type Complaint = Readonly<{ file: string; line: number; rule: string; message: string }>;

/** A rule is pure: it sees the files it is given and nothing else. */
export type Rule = Readonly<{
  name: string;
  check(sources: readonly Source[]): Complaint[];
}>;

type Finding = { line: number; message: string };
type Files = ReadonlySet<string>;

/** A rule that needs one file at a time, and at most the names of the others. */
export function fileRule(
  name: string,
  applies: (file: string) => boolean,
  find: (source: Source, files: Files) => Finding[],
): Rule {
  const check = (sources: readonly Source[]) => {
    const files = new Set(sources.map((source) => source.file));
    return sources
      .filter((source) => applies(source.file))
      .flatMap((source) =>
        find(source, files).map((found) => ({ file: source.file, rule: name, ...found })),
      );
  };
  return { name, check };
}

/** A rule about the whole tree. */
export function treeRule(
  name: string,
  find: (sources: readonly Source[]) => (Finding & { file: string })[],
): Rule {
  return { name, check: (sources) => find(sources).map((found) => ({ rule: name, ...found })) };
}

export function format(complaint: Complaint): string {
  return `${complaint.file}:${complaint.line} ${complaint.rule}: ${complaint.message}`;
}
