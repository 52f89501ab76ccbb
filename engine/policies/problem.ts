/** One thing that is wrong with an input: where, which rule, and a sentence for a person. */
export type Problem = Readonly<{ path: string; code: string; message: string }>;

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/**
 * The name of an input's own field as part of a path. Names that a stranger chose are quoted and
 * cut, because a path ends in logs and answers.
 */
export function fieldPath(path: string, name: string): string {
  if (!PLAIN_NAME.test(name)) return `${path}[${JSON.stringify(name.slice(0, 64))}]`;
  return path === '' ? name : `${path}.${name}`;
}
