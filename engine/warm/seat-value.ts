import type { Board, Hold } from '#board';

/** What is kept for a seat: somebody has it, or is about to. */
export type SeatValue = Readonly<{
  state: 'claimed' | 'held';
  /** Of a claim: its own name, which no other claim has. */
  hold_id: string;
  user_id: string;
  cart_token: string | null;
  /** Unix time. */
  held_until: number;
  /** Which history the revision belongs to. */
  lineage: string;
  revision: number;
}>;

/** A claim that nobody takes away ends by itself. */
export const CLAIM_MS = 5_000;
/** Readers compare the time that is written; keys go some time later. */
const KEPT_AFTER_MS = 60_000;

/** Long enough to tell histories of one event apart. */
export function lineageOf(hash: string): string {
  return hash.slice(0, 16);
}

export function unixOf(time_ms: number): number {
  return time_ms / 1_000;
}

export function millisecondsOf(unix: number): number {
  return Math.round(unix * 1_000);
}

export function keptUntil_ms(hold: Hold): number {
  return hold.until_ms + KEPT_AFTER_MS;
}

/** The text of a hold at the board's revision. */
export function heldValue({ revision, hash }: Board, hold: Hold): string {
  const { hold_id, user_id, cart_token, until_ms } = hold;
  const held_until = unixOf(until_ms);
  const lineage = lineageOf(hash);
  const who = { hold_id, user_id, cart_token };
  return textOf({ state: 'held', ...who, held_until, lineage, revision });
}

export function textOf(value: SeatValue): string {
  return JSON.stringify(value);
}

/** Null: nothing that we have written. */
export function readSeatValue(text: string): SeatValue | null {
  try {
    const value = JSON.parse(text) as Partial<SeatValue> | null;
    const isOurs =
      (value?.state === 'claimed' || value?.state === 'held') &&
      typeof value.hold_id === 'string' &&
      typeof value.user_id === 'string' &&
      typeof value.held_until === 'number' &&
      typeof value.lineage === 'string' &&
      typeof value.revision === 'number';
    return isOurs ? (value as SeatValue) : null;
  } catch {
    return null;
  }
}

/** Does the seat's value say what the board says? */
export function isOf(value: SeatValue, hold: Hold | undefined): boolean {
  if (!hold || value.state !== 'held' || value.hold_id !== hold.hold_id) return false;
  return millisecondsOf(value.held_until) === hold.until_ms && value.user_id === hold.user_id;
}
