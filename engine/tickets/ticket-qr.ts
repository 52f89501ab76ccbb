import { createHmac, timingSafeEqual } from 'node:crypto';
import { readTicketCode, TICKET_LETTERS } from './ticket-code.ts';

/** What a QR code says. Nothing in it is about a person. */
export type TicketQr = Readonly<{ code: string; event_id: string }>;

const VERSION = 'VG1';
/** 128 bits: nobody guesses them, and the picture stays small. */
const SIGNATURE_BYTES = 16;

/**
 * Signs what a ticket's QR code says: `VG1.<code>.<event>.<signature>`. The key is derived from the
 * operator's secret. Capitals and digits only: a QR code packs them two in eleven bits, and who
 * reads them into small letters does no harm. How long it is good is the event's to say, which may
 * be postponed after the paper was printed.
 */
export class TicketSigner {
  readonly #key: Buffer;

  constructor(secret: string) {
    this.#key = createHmac('sha256', secret).update('ticket signing key').digest();
  }

  sign(organizationId: string, { code, event_id }: TicketQr): string {
    const event = lettersOf(Buffer.from(event_id.replaceAll('-', ''), 'hex'));
    const said = [VERSION, code.replaceAll('-', ''), event].join('.');
    return `${said}.${lettersOf(this.#seal(organizationId, said))}`;
  }

  /** Null: not signed by us for this organization, or altered. */
  read(organizationId: string, text: string): TicketQr | null {
    const [version, letters = '', event = '', signature, ...more] = text.toUpperCase().split('.');
    const code = readTicketCode(letters);
    const event_id = uuidOfLetters(event);
    if (version !== VERSION || signature === undefined || more.length > 0) return null;
    if (code === null || event_id === null) return null;
    const expected = Buffer.from(this.sign(organizationId, { code, event_id }));
    const given = Buffer.from([version, letters, event, signature].join('.'));
    const same = given.length === expected.length && timingSafeEqual(given, expected);
    return same ? { code, event_id } : null;
  }

  #seal(organizationId: string, said: string): Buffer {
    const hmac = createHmac('sha256', this.#key).update(`${organizationId.toLowerCase()} ${said}`);
    return hmac.digest().subarray(0, SIGNATURE_BYTES);
  }
}

/** Does it claim to be a QR code's content rather than a code that somebody has typed? */
export function looksLikeQr(text: string): boolean {
  return text.includes('.');
}

/** Sixteen bytes as 26 letters, five bits each. */
function lettersOf(bytes: Uint8Array): string {
  let number = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let letters = '';
  for (let index = 0; index < 26; index++) {
    letters = `${TICKET_LETTERS[Number(number & 31n)]}${letters}`;
    number >>= 5n;
  }
  return letters;
}

function uuidOfLetters(letters: string): string | null {
  if (letters.length !== 26) return null;
  let number = 0n;
  for (const letter of letters) {
    const value = TICKET_LETTERS.indexOf(letter);
    if (value < 0) return null;
    number = (number << 5n) | BigInt(value);
  }
  if (number >> 128n !== 0n) return null;
  const hex = number.toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
