import type { EventRef } from '@voelgoed/engine/registry';
import { changeSeatingPolicy, type Engine } from '@voelgoed/engine/workflows';
import { aCaller, done } from '@voelgoed/testkit/builders';
import type { LoadProcess } from '#load';
import { buyersOf, newEvent, type Stadium, seatIdsOf, stadium } from '#stage';

export type Hall = Readonly<{
  stadium: Stadium;
  buyers: readonly string[];
  /** The same in every event. */
  seatIds: readonly string[];
}>;

/** What is measured is holding seats: no limit stands in the way, and nothing ends meanwhile. */
export const OPEN_POLICY = {
  hold_rate_seats: null,
  max_holds_per_user: null,
  max_seats_per_booking: 20,
  default_hold_ttl_minutes: 60,
};

/** With the rate limit that everybody has who changes nothing. */
const LIMITED_POLICY = { default_hold_ttl_minutes: 60 };

type Owner = Readonly<{ scope: Stadium['scope']; buyers: readonly string[] }>;

export class Halls {
  readonly #engine: Engine;
  readonly #secret: string;
  readonly #users: number;
  readonly #halls = new Map<string, Hall>();
  readonly #owners = new Map<boolean, Owner>();

  constructor(engine: Engine, secret: string, users: number) {
    this.#engine = engine;
    this.#secret = secret;
    this.#users = users;
  }

  /** A hall of that size. Limits are the organization's, so it is another one that has some. */
  async of(seats: number, isLimited = false): Promise<Hall> {
    const name = `${seats} ${isLimited}`;
    const known = this.#halls.get(name);
    if (known) return known;
    const owner = this.#owners.get(isLimited);
    const built = await stadium(this.#engine, seats, owner?.scope);
    const { buyers } = owner ?? (await this.#open(built, isLimited));
    const board = await this.#engine.registry.board(await newEvent(this.#engine, built));
    if (!board) throw new Error('the event is on sale');
    const hall = { stadium: built, buyers, seatIds: seatIdsOf(board) };
    this.#halls.set(name, hall);
    return hall;
  }

  /** One more event with every seat free: nobody finds what another has left behind. */
  sale(hall: Hall): Promise<EventRef> {
    return newEvent(this.#engine, hall.stadium);
  }

  /** From now on requests come from the buyers of this hall's organization. */
  async welcome(load: LoadProcess, { stadium: { scope }, buyers }: Hall): Promise<void> {
    const { organizationId } = scope;
    await load.crowd({ secret: this.#secret, organizationId, users: buyers });
  }

  async #open(built: Stadium, isLimited: boolean): Promise<Owner> {
    const caller = aCaller({ scope: built.scope });
    const policy = isLimited ? LIMITED_POLICY : OPEN_POLICY;
    done(await changeSeatingPolicy(this.#engine, caller, policy, 'platform'));
    const buyers = await buyersOf(this.#engine, built, this.#users);
    const owner = { scope: built.scope, buyers };
    this.#owners.set(isLimited, owner);
    return owner;
  }
}
