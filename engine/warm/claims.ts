import type { Board, HoldCommand } from '#board';
import { Gathering, type Random, uuidv7 } from '#kit';
import { eventKeys, readScript } from '#redis';
import {
  type Claim,
  type Claimed,
  type Claims,
  type EventRef,
  eventIds,
  type SeenHold,
} from '#registry';
import { CLAIM_MS, lineageOf, readSeatValue, textOf, unixOf } from './seat-value.ts';
import type { WarmTools } from './tools.ts';

const CLAIM = readScript(new URL('./claim.lua', import.meta.url));
const REMOVE = readScript(new URL('./remove.lua', import.meta.url));
/** Wishes of one call; a flush takes as many. */
const MOST_WISHES = 256;

type Wish = Readonly<{ seatIds: readonly string[]; userId: string; value: string }>;

/** What the script's letters mean. */
const VERDICTS: Readonly<Record<string, string>> = {
  c: 'claimed',
  o: 'own',
  b: 'busy',
  h: 'held',
};

const NOTHING: Claimed = { kind: 'go_on', claim: null };

/** Claims in Redis, one call for all wishes of an event that have gathered. */
export class RedisClaims implements Claims {
  readonly #tools: WarmTools & Readonly<{ random: Random; now_ms(): number }>;
  readonly #gatherings = new Map<string, Gathering<Wish, string>>();

  constructor(tools: WarmTools & Readonly<{ random: Random; now_ms(): number }>) {
    this.#tools = tools;
  }

  claim(event: EventRef, board: Board, command: HoldCommand): Promise<Claimed> | null {
    const { circuit } = this.#tools;
    const seatIds = seatsOf(board, command);
    if (seatIds.length === 0) return null;
    if (!circuit.isClosed) {
      this.#fellBack(event, command.user_id, seatIds);
      return null;
    }
    return this.#claim(event, { seatIds, ...this.#value(board, command) });
  }

  giveBack(event: EventRef, claim: Claim): void {
    if (this.#tools.circuit.isTold) void this.#remove(event, [claim]).catch(() => {});
  }

  heal(event: EventRef, { seatId, raw }: SeenHold): void {
    const { telemetry } = this.#tools;
    const { seatHold } = eventKeys(event.scope.organizationId, event.eventId);
    const ids = { ...eventIds(event), seat_ids: [seatId], keys_invalidated: [seatHold(seatId)] };
    this.#remove(event, [{ seatIds: [seatId], value: raw }]).then(
      (removed) => telemetry.emit({ kind: 'warm.healed', keys: removed, ids }),
      () => {},
    );
  }

  /** Nobody asks for this event here any more. */
  forget({ eventId }: EventRef): void {
    if (this.#gatherings.get(eventId)?.isIdle) this.#gatherings.delete(eventId);
  }

  async #claim(event: EventRef, wish: Wish): Promise<Claimed> {
    const { telemetry } = this.#tools;
    const { seatIds, value } = wish;
    try {
      const verdict = await this.#gatheringOf(event).ask(wish);
      telemetry.emit({ kind: 'hold.redis_success' });
      if (verdict === 'c') return { kind: 'go_on', claim: { seatIds, value } };
      const [, place = '', raw = ''] = /^h(\d+) (.*)$/s.exec(verdict) ?? [];
      const held = readSeatValue(raw);
      const seatId = seatIds[Number(place)];
      if (!held || !seatId) return NOTHING;
      const { hold_id: holdId, revision } = held;
      return { kind: 'held', seen: { seatId, holdId, revision, raw } };
    } catch {
      this.#fellBack(event, wish.userId, seatIds);
      return NOTHING;
    }
  }

  #fellBack(event: EventRef, user_id: string, seat_ids: readonly string[]): void {
    const ids = () => ({ ...eventIds(event), user_id, seat_ids });
    this.#tools.telemetry.emit({ kind: 'hold.redis_fallback', fallback: 'postgres', ids });
  }

  #value({ revision, hash }: Board, { user_id, cart_token }: HoldCommand) {
    const { random, clock, now_ms } = this.#tools;
    const value = textOf({
      state: 'claimed',
      hold_id: uuidv7({ clock, random }),
      user_id,
      cart_token,
      held_until: unixOf(now_ms() + CLAIM_MS),
      lineage: lineageOf(hash),
      revision,
    });
    return { userId: user_id, value };
  }

  #gatheringOf(event: EventRef): Gathering<Wish, string> {
    const known = this.#gatherings.get(event.eventId);
    if (known) return known;
    const gathering = new Gathering<Wish, string>(
      (wishes) => this.#send(event, wishes),
      MOST_WISHES,
    );
    this.#gatherings.set(event.eventId, gathering);
    return gathering;
  }

  async #send(event: EventRef, wishes: readonly Wish[]): Promise<readonly string[]> {
    const { circuit, claims, now_ms } = this.#tools;
    const keys = eventKeys(event.scope.organizationId, event.eventId);
    const names = wishes.flatMap(({ seatIds }) => seatIds.map(keys.seatHold));
    const words = wishes.flatMap(({ seatIds, userId, value }) => [seatIds.length, userId, value]);
    const run = () => claims.run(CLAIM, names, [unixOf(now_ms()), CLAIM_MS, ...words]);
    try {
      const verdicts = (await circuit.run(run)) as readonly string[];
      this.#count(verdicts);
      return verdicts;
    } catch (error) {
      // It may still be executed, before what is sent now on the same connection.
      void this.#remove(event, wishes).catch(() => {});
      throw error;
    }
  }

  #count(verdicts: readonly string[]): void {
    for (const [letter, verdict] of Object.entries(VERDICTS)) {
      const wishes = verdicts.filter((one) => one[0] === letter).length;
      if (wishes > 0) this.#tools.telemetry.emit({ kind: 'warm.claim', verdict, wishes });
    }
  }

  #remove({ scope, eventId }: EventRef, made: readonly Claim[]) {
    const { circuit, claims } = this.#tools;
    const keys = eventKeys(scope.organizationId, eventId);
    const names = made.flatMap(({ seatIds }) => seatIds.map(keys.seatHold));
    const values = made.flatMap(({ seatIds, value }) => seatIds.map(() => value));
    return circuit.run(() => claims.run(REMOVE, names, values)) as Promise<number>;
  }
}

/** In the one spelling that keys have; a seat that is named twice is claimed once. */
function seatsOf({ plan }: Board, { items }: HoldCommand): string[] {
  const seats = new Set<string>();
  for (const item of items) {
    if (!('seat_id' in item)) continue;
    const ordinal = plan.ordinalOf(item.seat_id);
    if (ordinal !== undefined) seats.add(plan.seatIdOf(ordinal));
  }
  return [...seats];
}
