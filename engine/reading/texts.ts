import type { ReadingCode } from './problems.ts';

export type Complaint = Readonly<{ code: ReadingCode; message: string }>;

const PRINTABLE_ASCII = /^[!-~](?:[ -~]*[!-~])?$/;
const CONTROL = /\p{Cc}/u;
/**
 * What nobody sees: signs that only format (zero width, direction of writing), separators of lines,
 * and fillers. With them two labels that look the same would be two labels.
 */
const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * What is wrong with a text that people will read: Postgres cannot store U+0000, JSON answers
 * cannot carry half a character, and control characters or a blank hide in a label.
 */
export function textProblem(value: unknown, most: number): Complaint | undefined {
  if (typeof value !== 'string') return { code: 'wrong_type', message: 'This must be a text.' };
  if (value.length > most) {
    return { code: 'text_too_long', message: `This must have at most ${most} characters.` };
  }
  if (PRINTABLE_ASCII.test(value)) return undefined;
  if (!value.isWellFormed() || CONTROL.test(value)) {
    const message = 'This contains control characters or half of a character.';
    return { code: 'text_invalid', message };
  }
  const unseen = INVISIBLE.exec(value);
  if (unseen) {
    const code = unseen[0].codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    return { code: 'text_invalid', message: `This contains the invisible character U+${code}.` };
  }
  const trimmed = value.trim();
  if (trimmed === '') return { code: 'text_blank', message: 'This must not be blank.' };
  if (trimmed === value) return undefined;
  return { code: 'text_invalid', message: 'This must not begin or end with white space.' };
}

/** A name in free notes: nobody may hide a second one behind it. */
export function hidesSomething(text: string): boolean {
  return CONTROL.test(text) || INVISIBLE.test(text);
}

/** Deeper than any shape of ours; far less than what makes recursive code fail. */
export const JSON_DEPTH = 32;

/** Counts brackets outside of texts: before parsing, because parsing is what depth endangers. */
export function isTooDeep(json: string): boolean {
  let depth = 0;
  let inText = false;
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (inText) {
      if (code === 0x5c) index++;
      else if (code === 0x22) inText = false;
    } else if (code === 0x22) inText = true;
    else if (code === 0x7b || code === 0x5b) depth++;
    else if (code === 0x7d || code === 0x5d) depth--;
    if (depth > JSON_DEPTH) return true;
  }
  return false;
}

/** No U+0000 and no half of a surrogate pair: what every program can store and send. */
export function isGoodText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
