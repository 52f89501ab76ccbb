import { assert } from '#kit';
import { NAME_LIMIT, type Statement } from '#postgres';
import { AFTER_ENDED, BOARD, type FlushPart, LOGGED, PARTS, type Part } from './flush-write.sql.ts';

/** Values by their names in the text. */
export type FlushValues = Readonly<Record<string, unknown>>;

type Composed = Readonly<{ name: string; text: string; names: readonly string[] }>;

const composed = new Map<string, Composed>();

/** The statement that writes these parts, with these values. */
export function writeFlush(parts: readonly FlushPart[], values: FlushValues): Statement<object> {
  const { name, text, names } = compose(parts);
  return { name, text, values: names.map((one) => values[one]), long: false, label: 'flush.write' };
}

/** Texts of constants alone; names become places, in the order in which they stand there. */
function compose(parts: readonly FlushPart[]): Composed {
  const name = `flush.write ${parts.join(' ')}`;
  const known = composed.get(name);
  if (known) return known;
  const all: readonly Part[] = [BOARD, ...parts.map((part) => PARTS[part]), LOGGED];
  const tables = all.map((part) => part.text).join(', ');
  const guards = all.flatMap((part) => part.guards).join(',\n     ');
  const names: string[] = [];
  const text = `with ${tables}\n   select\n     ${guards}`
    .replace('{after ended}', parts.includes('ended') ? AFTER_ENDED : '')
    .replace(/(?<!:):([a-z_]+)/g, (_, one) => {
      if (!names.includes(one)) names.push(one);
      return `$${names.indexOf(one) + 1}`;
    });
  assert(name.length <= NAME_LIMIT, 'Postgres would cut the name');
  const made = { name, text, names };
  composed.set(name, made);
  return made;
}
