import { createHash } from 'node:crypto';

const NAME = ',"digest":"';
const DIGEST_CHARACTERS = 64;
const END = '"}';
const SEAL_CHARACTERS = NAME.length + DIGEST_CHARACTERS + END.length;
const NO_BYTES: Uint8Array = new Uint8Array();

/**
 * A text that ends with a JSON object, with one more field at its end: a digest of the text, of the
 * key it is for and of the bytes that belong to it. What other hands or mistakes change afterwards
 * does not match any more. It is no signature: whoever writes to Redis on purpose can work it out.
 */
export function sealed(key: string, text: string, bytes = NO_BYTES): string {
  return `${text.slice(0, -1)}${NAME}${digestOf(key, text, bytes)}${END}`;
}

/** The text as it was sealed; null: it is not what was written under this key, with these bytes. */
export function unsealed(key: string, text: string, bytes = NO_BYTES): string | null {
  if (!isSealed(text)) return null;
  const content = withoutSeal(text);
  const digest = text.slice(-(DIGEST_CHARACTERS + END.length), -END.length);
  return digestOf(key, content, bytes) === digest ? content : null;
}

/** The same text, whatever its digest says. */
export function withoutSeal(text: string): string {
  return isSealed(text) ? `${text.slice(0, -SEAL_CHARACTERS)}}` : text;
}

/** Has it a digest, right or wrong? Nodes of earlier versions write none. */
export function isSealed(text: string): boolean {
  return text.startsWith(NAME, text.length - SEAL_CHARACTERS) && text.endsWith(END);
}

function digestOf(key: string, text: string, bytes: Uint8Array): string {
  const hash = createHash('sha256').update(`${key} ${bytes.length} ${text}`);
  return hash.update(bytes).digest('hex');
}
