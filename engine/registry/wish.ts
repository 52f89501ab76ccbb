import type { AuditActor } from '#audit';
import type { Command, Outcome, Refused } from '#board';
import type { IdempotencyKey } from '#idempotency';
import type { Statement } from '#postgres';
import type { Carry } from '#telemetry';
import type { Asked, AskedSales, ContextWrite } from './ports.ts';

/** A command with whose it is and how long anybody waits for it. */
export type Wish = Readonly<{
  command: Command;
  actor: AuditActor;
  context: ContextWrite | null;
  key: IdempotencyKey | null;
  /** On the monotonic clock. */
  deadline_ms: number;
  /** Whoever wished has gone: then it is not decided any more. */
  signal?: Readonly<{ aborted: boolean }> | undefined;
  /** Memory does not know enough to refuse it: it is always decided. */
  exact?: boolean | undefined;
  /** Writes that belong to the same commit, if the outcome is what was wished for. */
  also?: (outcome: Outcome) => readonly Statement<unknown>[];
}>;

export type Answer =
  | Readonly<{
      kind: 'done';
      outcome: Outcome;
      /** Of the board that the outcome was decided on, its own commit included. */
      revision: number;
      at_ms: number;
      replayed: boolean;
    }>
  | Readonly<{ kind: 'key_reused' }>
  /** There is no such event on sale. */
  | Readonly<{ kind: 'not_on_sale' }>;

/** What memory refuses. */
export type Screened = Readonly<{ outcome: Refused; revision: number; at_ms: number }>;

/** Order of classes in a flush: first what frees seats and keeps promises, then new wishes. */
export const CLASSES = ['complete', 'release', 'extend', 'hold'] as const;
export type WishClass = (typeof CLASSES)[number];

export function classOf(command: Command): WishClass {
  switch (command.kind) {
    case 'hold':
      return 'hold';
    case 'payment_message':
    case 'sell':
      return 'complete';
    case 'extend':
    case 'lengthen':
    case 'start_checkout':
    case 'begin_payment':
      return 'extend';
    default:
      return 'release';
  }
}

/** Money has moved: that is heard however many wait. */
export function isNeverRefused({ kind }: Command): boolean {
  return kind === 'payment_message';
}

/** What a flush of these wishes wants to know under the lock. */
export function askedFor(
  batch: readonly QueuedWish[],
  revision: number,
  unsettled: number | null,
): Asked {
  return {
    revision,
    keys: batch.flatMap(({ wish }) => wish.key ?? []),
    users: batch.flatMap((one) => (one.needsMembership ? usersOf(one.wish) : [])),
    unsettled,
    sales: askedSales(batch.map(({ wish }) => wish.command)),
  };
}

/** What commands are about that the board does not keep; null for none, which is nearly always. */
function askedSales(commands: readonly Command[]): AskedSales | null {
  const checkouts: string[] = [];
  const messages: AskedSales['messages'][number][] = [];
  const tickets: string[] = [];
  for (const command of commands) {
    if ('checkout_id' in command) checkouts.push(command.checkout_id);
    if ('ticket_id' in command) tickets.push(command.ticket_id);
    if ('ticket_ids' in command) tickets.push(...command.ticket_ids);
    if (command.kind === 'payment_message') messages.push(command);
  }
  return checkouts.length + tickets.length > 0 ? { checkouts, messages, tickets } : null;
}

/** Whose membership a wish depends on. */
function usersOf({ command }: Wish): string[] {
  if (command.kind === 'start_checkout') return [command.user_id];
  if (command.kind !== 'hold') return [];
  const named = command.items.flatMap(({ people = [] }) => people);
  return [command.user_id, ...named, ...(command.best?.people ?? [])];
}

/** A wish in the queue. It is answered once, whoever is first. */
export class QueuedWish {
  readonly wish: Wish;
  readonly answer: Promise<Answer>;
  /** Since when it waits, on the monotonic clock. */
  readonly queued_ms: number;
  /** The request that it belongs to, when traces are on. */
  readonly carry: Carry | undefined;
  /** Its membership has to be read. */
  needsMembership = false;
  /** It was part of a flush whose commit is not known. */
  inDoubt = false;
  #settled = false;
  readonly #settle: { resolve(answer: Answer): void; reject(error: unknown): void };

  constructor(wish: Wish, queued_ms: number, carry?: Carry) {
    this.wish = wish;
    this.queued_ms = queued_ms;
    this.carry = carry;
    // The best seats may be in a zone for members, and looking twice would cost another flush.
    this.needsMembership = wish.command.kind === 'hold' && wish.command.best !== undefined;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.answer = promise;
    this.#settle = { resolve, reject };
  }

  get isSettled(): boolean {
    return this.#settled;
  }

  resolve(answer: Answer): void {
    this.#settled = true;
    this.#settle.resolve(answer);
  }

  reject(error: unknown): void {
    this.#settled = true;
    this.#settle.reject(error);
  }
}
