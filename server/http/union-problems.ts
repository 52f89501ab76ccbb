import type { ErrorObject } from 'ajv';

/** A value that is not even of the kind that a branch is for. */
const OTHER_KIND = new Set(['type', 'required', 'additionalProperties', 'const', 'enum']);

/**
 * What is wrong with a value that may be one of several things, as what it was most likely meant to
 * be. The validator lists what is wrong with it as each of them, so that 0 places of a zone are
 * first of all no seat.
 */
export function asMeant(errors: readonly ErrorObject[]): ErrorObject[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf');
  if (unions.length === 0) return [...errors];
  // From the outside in: what is dropped with a branch needs no choice of its own.
  unions.sort((one, other) => one.schemaPath.length - other.schemaPath.length);
  return unions.reduce(
    (left, union) => (left.includes(union) ? withOneBranch(left, union) : left),
    [...errors],
  );
}

function withOneBranch(errors: readonly ErrorObject[], union: ErrorObject): ErrorObject[] {
  const branches = new Map<string, ErrorObject[]>();
  for (const error of errors) {
    const branch = branchOf(error, union);
    if (branch !== null) branches.set(branch, [...(branches.get(branch) ?? []), error]);
  }
  const [meant, ...others] = [...branches.values()].sort(
    (one, other) => strangeness(one, union) - strangeness(other, union),
  );
  if (!meant) return [...errors];
  const kept = kindsAlone([meant, ...others], union) ?? meant;
  const first = errors.findIndex((error) => branchOf(error, union) !== null);
  const rest = errors.filter((error) => error !== union && branchOf(error, union) === null);
  return [...rest.slice(0, first), ...kept, ...rest.slice(first)];
}

/** Which branch of the union the error is about; null: none of them. */
function branchOf({ schemaPath, instancePath }: ErrorObject, union: ErrorObject): string | null {
  const prefix = `${union.schemaPath}/`;
  const isInside =
    instancePath === union.instancePath || instancePath.startsWith(`${union.instancePath}/`);
  if (!isInside || !schemaPath.startsWith(prefix)) return null;
  return schemaPath.slice(prefix.length).split('/')[0] ?? null;
}

/** How far the value is from a branch: first whether it is of the kind, then what is wrong. */
function strangeness(errors: readonly ErrorObject[], { instancePath }: ErrorObject): number {
  const other = errors.filter((error) => {
    return error.instancePath === instancePath && OTHER_KIND.has(error.keyword);
  });
  return other.length * 1_000 + errors.length;
}

/** A number where a text or null may be: it is neither, and both are named. */
function kindsAlone(
  branches: readonly (readonly ErrorObject[])[],
  { instancePath }: ErrorObject,
): ErrorObject[] | null {
  const kinds = branches.flatMap(([only, ...more]) => {
    const alone = only?.keyword === 'type' && only.instancePath === instancePath;
    return alone && more.length === 0 ? [only] : [];
  });
  const [first] = kinds;
  if (!first || kinds.length < branches.length) return null;
  const names = [...new Set(kinds.map(({ params }) => params.type))];
  return [{ ...first, message: `must be ${names.join(' or ')}` }];
}
