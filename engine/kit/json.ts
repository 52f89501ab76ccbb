/**
 * JSON with sorted names: the same value is the same text, whoever wrote it down and in whatever
 * order (jsonb keeps none). For hashes. Measured on an audit row: sorting first and writing then
 * takes 2.1 µs, a replacer, which is asked for every single value, 3.1 µs.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

/** The value itself when its names are in order everywhere, else a copy in which they are. */
function sorted(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return sortedList(value);
  if ('toJSON' in value && typeof value.toJSON === 'function') return sorted(value.toJSON());
  return sortedObject(value as Record<string, unknown>);
}

function sortedList(list: readonly unknown[]): readonly unknown[] {
  const copy = list.map(sorted);
  return copy.some((one, index) => one !== list[index]) ? copy : list;
}

function sortedObject(object: Readonly<Record<string, unknown>>): object {
  const names = Object.keys(object);
  let same = true;
  for (let index = 0; index < names.length && same; index++) {
    const name = names[index] ?? '';
    const inner = object[name];
    same = (index === 0 || (names[index - 1] ?? '') < name) && sorted(inner) === inner;
  }
  if (same) return object;
  names.sort((one, other) => (one < other ? -1 : 1));
  return Object.fromEntries(names.map((name) => [name, sorted(object[name])]));
}
