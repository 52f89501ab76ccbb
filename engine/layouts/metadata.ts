import { LAYOUT_LIMITS } from './layout-config.ts';
import type { Complaint } from './texts.ts';

/** Free notes of a zone or group: any JSON object that Postgres can store and that stays small. */
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
    const tooDeep = next.depth > metadata_depth && entries.length > 0;
    if (tooDeep || seen + open.length + entries.length > metadata_values) {
      return TOO_LARGE;
    }
    for (const [key, inner] of entries) {
      const bad = stored(key);
      if (bad) return bad;
      open.push({ value: inner, depth: next.depth + 1 });
    }
  }
  return undefined;
}

const { metadata_values, metadata_depth, metadata_text } = LAYOUT_LIMITS;
const TOO_LARGE: Complaint = {
  code: 'metadata_too_large',
  message:
    `Metadata has at most ${metadata_values} values, ${metadata_depth} levels` +
    ` and ${metadata_text} characters in a text.`,
};

function leafProblem(value: unknown): Complaint | undefined {
  if (typeof value === 'string') return stored(value);
  if (typeof value === 'number' && Number.isFinite(value)) return undefined;
  if (value === null || typeof value === 'boolean') return undefined;
  if (Array.isArray(value) || isRecord(value)) return undefined;
  return { code: 'wrong_type', message: 'Metadata may only contain JSON.' };
}

function stored(text: string): Complaint | undefined {
  if (text.length > metadata_text) return TOO_LARGE;
  if (text.isWellFormed() && !text.includes('\u0000')) return undefined;
  return { code: 'text_invalid', message: 'A text contains U+0000 or half of a character.' };
}

function isRecord(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
