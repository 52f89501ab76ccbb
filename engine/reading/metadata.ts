import { type Complaint, hidesSomething } from './texts.ts';

/** Free notes: any JSON object that Postgres can store and that stays small. */
export type Metadata = Readonly<Record<string, unknown>>;

/** Metadata is for notes, not for data: this keeps one object under about 100 KB. */
export const METADATA_LIMITS = Object.freeze({ values: 500, depth: 6, text: 2_000 });

export function metadataProblem(value: unknown): Complaint | undefined {
  if (!isRecord(value)) return { code: 'wrong_type', message: 'This must be an object.' };
  const open: { value: unknown; depth: number }[] = [{ value, depth: 1 }];
  let seen = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    seen++;
    const complaint = leafProblem(next.value);
    if (complaint) return complaint;
    if (typeof next.value !== 'object' || next.value === null) continue;
    const entries = Object.entries(next.value);
    const tooDeep = next.depth > METADATA_LIMITS.depth && entries.length > 0;
    const tooMany = seen + open.length + entries.length > METADATA_LIMITS.values;
    if (tooDeep || tooMany) return TOO_LARGE;
    for (const [key, inner] of entries) {
      const bad = stored(key) ?? (hidesSomething(key) ? HIDDEN : undefined);
      if (bad) return bad;
      open.push({ value: inner, depth: next.depth + 1 });
    }
  }
  return undefined;
}

const TOO_LARGE: Complaint = {
  code: 'metadata_too_large',
  message:
    `Metadata has at most ${METADATA_LIMITS.values} values, ${METADATA_LIMITS.depth} levels` +
    ` and ${METADATA_LIMITS.text} characters in a text.`,
};

const HIDDEN: Complaint = {
  code: 'text_invalid',
  message: 'A name in metadata contains control or invisible characters.',
};

function leafProblem(value: unknown): Complaint | undefined {
  if (typeof value === 'string') return stored(value);
  if (typeof value === 'number' && Number.isFinite(value)) return undefined;
  if (value === null || typeof value === 'boolean') return undefined;
  if (Array.isArray(value) || isRecord(value)) return undefined;
  return { code: 'wrong_type', message: 'Metadata may only contain JSON.' };
}

function stored(text: string): Complaint | undefined {
  if (text.length > METADATA_LIMITS.text) return TOO_LARGE;
  if (text.isWellFormed() && !text.includes('\u0000')) return undefined;
  return { code: 'text_invalid', message: 'A text contains U+0000 or half of a character.' };
}

function isRecord(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
