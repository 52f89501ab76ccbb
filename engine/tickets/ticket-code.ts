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
  const letters = lettersOf(text);
  return letters.length === GROUPS * LENGTH && isOfCode(letters) ? grouped(letters) : null;
}

/** Four letters or more of a code, from where one of its groups begins; null: none can be this. */
export function readCodePiece(text: string): string | null {
  const letters = lettersOf(text);
  const isPiece = letters.length >= LENGTH && letters.length < GROUPS * LENGTH;
  return isPiece && isOfCode(letters) ? grouped(letters) : null;
}

function lettersOf(text: string): string {
  return text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
}

function isOfCode(letters: string): boolean {
  return [...letters].every((letter) => TICKET_LETTERS.includes(letter));
}

function grouped(letters: string): string {
  return (letters.match(/.{1,4}/g) ?? []).join('-');
}
