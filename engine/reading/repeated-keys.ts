import { fieldPath } from './problems.ts';

/** An object or a list that has begun: what it has named, where its last name is, its entries. */
type Open = { keys: string[] | null; more: Set<string> | null; key: string; index: number };

/** Comparing with so few is faster than a set. */
const FEW = 8;
const [QUOTE, ESCAPE, COMMA] = [0x22, 0x5c, 0x2c];
const [OBJECT, OBJECT_END, LIST, LIST_END] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Where an object of a JSON text says a name twice, as a path; null: nowhere. `JSON.parse` would
 * take the last of them without a word, and other programs the first. The text must be valid JSON.
 */
export function repeatedKey(json: string): string | null {
  const stack: Open[] = [];
  let top: Open | undefined;
  let isName = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfText(json, at + 1);
      if (isName && top?.keys) {
        top.key = nameIn(json, at + 1, end);
        if (isKnown(top, top.key)) return pathOf(stack);
        isName = false;
      }
      at = end;
    } else if (code === COMMA) {
      isName = top?.keys !== null;
      if (top) top.index++;
    } else if (code === OBJECT || code === LIST) {
      isName = code === OBJECT;
      top = { keys: isName ? [] : null, more: null, key: '', index: 0 };
      stack.push(top);
    } else if (code === OBJECT_END || code === LIST_END) {
      stack.pop();
      top = stack.at(-1);
      isName = false;
    }
  }
  return null;
}

function endOfText(json: string, from: number): number {
  const first = json.indexOf('"', from);
  if (first < 0 || json.charCodeAt(first - 1) !== ESCAPE) return first < 0 ? json.length : first;
  let at = from;
  for (; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === ESCAPE) at++;
  }
  return at;
}

/** Two spellings of one name are one name. */
function nameIn(json: string, from: number, end: number): string {
  const name = json.slice(from, end);
  return name.includes('\\') ? (JSON.parse(`"${name}"`) as string) : name;
}

/** True: it was there before. Else it is from now on. */
function isKnown(open: Open, key: string): boolean {
  const { keys, more } = open;
  if (more ? more.has(key) : keys?.includes(key)) return true;
  if (more) more.add(key);
  else if (keys && keys.length < FEW) keys.push(key);
  else open.more = new Set([...(keys ?? []), key]);
  return false;
}

function pathOf(stack: readonly Open[]): string {
  return stack.reduce(
    (path, { keys, key, index }) => (keys ? fieldPath(path, key) : `${path}[${index}]`),
    '',
  );
}
