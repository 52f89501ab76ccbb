import type { Dice } from './dice.ts';
import { hostileValue } from './hostile.ts';

type Place = Readonly<{ parent: Record<string, unknown> | unknown[]; key: string }>;

/** A value that is nearly right: one thing or a few of it are changed, left out or added. */
export function mutated(dice: Dice, value: unknown): unknown {
  const copy = structuredClone(value);
  const places = placesIn(copy);
  if (places.length === 0) return hostileValue(dice);
  for (let count = dice.one([1, 1, 1, 2, 3]); count > 0; count--) change(dice, dice.one(places));
  return copy;
}

function placesIn(value: unknown): Place[] {
  if (value === null || typeof value !== 'object') return [];
  const parent = value as Record<string, unknown>;
  return Object.entries(parent).flatMap(([key, inner]) => [{ parent, key }, ...placesIn(inner)]);
}

function change(dice: Dice, { parent, key }: Place): void {
  const at = parent as Record<string, unknown>;
  const old = at[key];
  dice.weighted([
    [4, () => put(at, key, hostileValue(dice))],
    [2, () => remove(parent, key)],
    [1, () => put(at, dice.one(['extra', 'toString', 'id', 'organization_id']), old)],
    [1, () => put(at, key, [old])],
    [1, () => put(at, key, { value: old })],
    [1, () => put(at, key, textOf(old))],
    [2, () => put(at, key, nearby(dice, old))],
    [1, () => repeat(parent, old)],
  ]);
}

/** Objects may have got a `toString` that is none. */
function textOf(old: unknown): string {
  return old !== null && typeof old === 'object' ? JSON.stringify(old) : String(old);
}

/** One more, one less, another case, twice as long. */
function nearby(dice: Dice, old: unknown): unknown {
  if (typeof old === 'number') return old + dice.one([-1, 1, 0.5, 1_000]);
  if (typeof old === 'boolean') return !old;
  if (typeof old !== 'string') return old;
  return dice.one([old.toUpperCase(), ` ${old}`, `${old}x`, old.slice(1), old.repeat(300)]);
}

function repeat(parent: Place['parent'], old: unknown): void {
  if (Array.isArray(parent) && parent.length < 1_100) parent.push(old, old);
}

function put(at: Record<string, unknown>, key: string, value: unknown): void {
  at[key] = value;
}

function remove(parent: Place['parent'], key: string): void {
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
}
