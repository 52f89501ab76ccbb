import type { FreeSeats } from '#allocation';
import type { Checkout } from '#checkouts';
import { assert } from '#kit';
import type { BoardConfig } from './board-config.ts';
import type { BoardPlan } from './board-plan.ts';
import type { BoardTask } from './tasks.ts';

/**
 * What a seat is, as one byte. The lowest two bits are what the world sees; the third says that a
 * ticket lies under a block: unblocking makes the seat sold again.
 */
export const SEAT = { available: 0, held: 1, sold: 2, blocked: 3, blockedSold: 7 } as const;
export const SEAT_WORDS = ['available', 'held', 'sold', 'blocked'] as const;
export type SeatWord = (typeof SEAT_WORDS)[number];

export function wordOf(code: number): SeatWord {
  return SEAT_WORDS[code & 3] ?? 'blocked';
}

export const HOLD_SOURCES = ['web', 'scanner', 'offline_sync', 'box_office'] as const;
export type HoldSource = (typeof HOLD_SOURCES)[number];

/** A seat, or places in a zone without seats, that somebody has for some minutes. */
export type Hold = Readonly<{
  hold_id: string;
  user_id: string;
  cart_token: string;
  /** -1: places in a zone. */
  ordinal: number;
  zone: number;
  quantity: number;
  created_ms: number;
  until_ms: number;
  source: HoldSource;
  /** Keyed hashes of the address and its networks, for their limits; see `joinHashes`. */
  ip: string | null;
  /** Staff who made it for a caller. */
  made_by: string | null;
  notes: string | null;
  /** The open checkout that it is part of. */
  checkout_id: string | null;
  /** For whom it is, where that is not the buyer alone; absent on nearly all. */
  people?: readonly string[];
  /** Taken alone, seat by seat: nodes of 0.1.0 judge such a cart at its checkout, and no other. */
  unjudged?: true;
  /** So many seats the cart had when the engine chose this one, or the buyer insisted on it. */
  settled?: number;
}>;

/** Made by staff for a caller; everything else is what a buyer has chosen. */
export function isCounterHold({ source, made_by }: Pick<Hold, 'source' | 'made_by'>): boolean {
  return source === 'box_office' || made_by !== null;
}

export type ZoneCounts = Readonly<{ held: number; sold: number; blocked: number }>;

export function sumOf(one: ZoneCounts, other: ZoneCounts): ZoneCounts {
  return {
    held: one.held + other.held,
    sold: one.sold + other.sold,
    blocked: one.blocked + other.blocked,
  };
}

/** What rules may look at: the same on the live board and on a draft of it. */
export interface BoardState {
  readonly plan: BoardPlan;
  readonly config: BoardConfig;
  readonly tasks: readonly BoardTask[];
  codeOf(ordinal: number): number;
  holdOfSeat(ordinal: number): Hold | undefined;
  holdOf(holdId: string): Hold | undefined;
  countsOf(zone: number): ZoneCounts;
  holdsOfUser(userId: string): readonly Hold[];
  /** Open ones only. */
  checkoutOf(checkoutId: string): Checkout | undefined;
  /** Seats and places that an address or a network holds, by one of the names in `countedOf`. */
  heldByIp(ip: string): number;
  /** A block that is decided and not yet carried out seat by seat. */
  isClosing(ordinal: number): boolean;
  /** Have the companion seats of a zone gone to everybody? */
  isReleased(zone: number): boolean;
  /** Who has bought a wheelchair space that has companion seats; of other seats it is not kept. */
  ownerOf(ordinal: number): string | undefined;
  /** Which seats are free, ready to be searched. */
  readonly free: FreeSeats;
}

/** What `apply` needs: the smallest set of writes, so that both kinds of board obey one rule. */
export interface WritableState extends BoardState {
  /** `ticket`: undefined keeps the one there is, for a seat that is blocked or unblocked. */
  setSeat(
    ordinal: number,
    code: number,
    hold: Hold | undefined,
    ticket?: string | null | undefined,
  ): void;
  addHold(hold: Hold): void;
  replaceHold(hold: Hold): void;
  removeHold(hold: Hold): void;
  setCheckout(checkout: Checkout): void;
  closeCheckout(checkoutId: string): void;
  /** Something about a closed checkout or a ticket has changed, which the board does not keep. */
  touch(id: string): void;
  addCounts(zone: number, added: ZoneCounts): void;
  setConfig(config: BoardConfig): void;
  setTasks(tasks: readonly BoardTask[]): void;
  setReleased(zone: number, released: boolean): void;
  /** Undefined: nobody has it any more. */
  setOwner(ordinal: number, userId: string | undefined): void;
}

export function liveHold(state: BoardState, holdId: string): Hold {
  const hold = state.holdOf(holdId);
  assert(hold, `hold ${holdId} is alive`);
  return hold;
}

/** Something about a live hold is different; its seat knows it. */
export function changeHold(state: WritableState, hold: Hold): void {
  state.replaceHold(hold);
  if (hold.ordinal >= 0) state.setSeat(hold.ordinal, SEAT.held, hold);
}
