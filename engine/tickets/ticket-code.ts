import type { Random } from '#kit';

/** Digits and capitals that nobody mistakes for one another: no I, L, O and U. */
export const TICKET_LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUPS = 3;
const LENGTH = 4;

/**
 * A code such as `7K2M-X9QF-04TD`: 60 bits of chance, so guessing one of a million tickets takes a
 * trillion tries. The database keeps it unique in its organization.
 */
export function newTicketCode(random: Random): string {
  // 256 is a multiple of 32, so every letter is equally likely.
  const bytes = random.bytes(GROUPS * LENGTH);
  const letters = Array.from(bytes, (byte) => TICKET_LETTERS[byte % TICKET_LETTERS.length]).join(
    '',
  );
  return [0, 1, 2].map((group) => letters.slice(group * LENGTH, (group + 1) * LENGTH)).join('-');
}

/** As people type it: small letters, without dashes, with O for 0 and I or L for 1. */
export function readTicketCode(text: string): string | null {
  const letters = text
    .toUpperCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  if (letters.length !== GROUPS * LENGTH) return null;
  if ([...letters].some((letter) => !TICKET_LETTERS.includes(letter))) return null;
  return [letters.slice(0, 4), letters.slice(4, 8), letters.slice(8)].join('-');
}
