/** The load generator as a process of its own: buyers, a payment provider and open seat maps. */
import { assert, reasonOf, seededRandom, systemClock } from '@voelgoed/engine/kit';
import { Buyers } from './buyers.ts';
import type { Numbered, Order, Reply, Report } from './messages.ts';
import { Sender } from './sender.ts';
import type { CrowdStage } from './stage.ts';
import { Viewer } from './viewers.ts';

/** A wish whose outcome is unknown is asked for again until it is known, within reason. */
const TRIES = 40;
const AGAIN_MS = 100;
const SETTLED_AT_ONCE = 16;

class CrowdHouse {
  readonly #stage: CrowdStage;
  readonly #sender: Sender;
  readonly #buyers: Buyers;
  readonly #random;
  readonly #viewers: Viewer[] = [];

  constructor(stage: CrowdStage) {
    this.#stage = stage;
    this.#random = seededRandom(stage.seed);
    this.#sender = new Sender(stage, seededRandom(stage.seed + 1));
    this.#buyers = new Buyers(stage, this.#sender, this.#random);
  }

  async obey(order: Order): Promise<unknown> {
    switch (order.kind) {
      case 'open':
        return null;
      case 'load':
        return this.#buyers.load(order.load);
      case 'rest':
        return this.#buyers.rest();
      case 'settle':
        return this.#settle();
      case 'send':
        return Promise.all(order.wishes.map((wish) => this.#sender.send(wish, null, order.node)));
      case 'rotate':
        return this.#sender.rotate(order.node, order.isIn);
      case 'mark':
        return this.#sender.mark(order.name);
      case 'view':
        return this.#view(order.count);
      case 'views':
        return this.#viewers.map(({ view }) => view);
      case 'unview':
        await Promise.all(this.#viewers.splice(0).map((viewer) => viewer.close()));
        return null;
      case 'report':
        return this.#report();
      case 'users':
        return this.#stage.organizations.map((_, index) => this.#buyers.usersOf(index));
      case 'close':
        await Promise.all(this.#viewers.splice(0).map((viewer) => viewer.close()));
        return this.#sender.close();
    }
  }

  async #settle(): Promise<number> {
    const wishes = [...this.#sender.unknown.values()];
    const queue = [...wishes];
    const work = async () => {
      for (let wish = queue.shift(); wish; wish = queue.shift()) {
        for (let tries = 0; tries < TRIES; tries++) {
          const { outcome } = await this.#sender.send(wish);
          if (outcome === 'done' || outcome === 'refused') break;
          await systemClock.sleep(AGAIN_MS);
        }
      }
    };
    await Promise.all(Array.from({ length: SETTLED_AT_ONCE }, work));
    this.#sender.unknown.clear();
    this.#sender.flush();
    return wishes.length;
  }

  #view(count: number): null {
    const all = this.#stage.organizations.flatMap(({ organizationId, events }, organization) =>
      events.map(({ eventId }) => ({ organizationId, event: eventId, organization })),
    );
    const { addresses, slow_ms } = this.#stage;
    for (let index = 0; index < count; index++) {
      const place = all[index % all.length];
      if (!place) continue;
      const users = this.#buyers.usersOf(place.organization);
      const user = index % 5 === 0 ? users[index % users.length] : undefined;
      const habit = index % 7 === 3 ? 'slow' : index % 7 === 5 ? 'restless' : 'steady';
      this.#viewers.push(
        new Viewer({
          ...place,
          address: () => addresses[Math.floor(this.#random.next() * addresses.length)] ?? '',
          token: user ? this.#sender.tokenOf(user) : null,
          habit,
          slow_ms,
          random: this.#random,
          canaries: this.#sender.canaries,
        }),
      );
    }
    return null;
  }

  #report(): Report {
    this.#sender.flush();
    const { counts, answers, canaries } = this.#sender;
    const { problems, looked, own } = canaries;
    return { counts, answers, canaries: { problems, looked, own } };
  }
}

let house: CrowdHouse | undefined;

async function answer({ number, message }: Numbered<Order>): Promise<Numbered<Reply>> {
  try {
    if (message.kind === 'open') house = new CrowdHouse(message.stage);
    assert(house, 'a crowd is opened first');
    return { number, message: { answer: (await house.obey(message)) ?? null } };
  } catch (error) {
    return { number, message: { error: reasonOf(error) } };
  }
}

process.on('message', (order: Numbered<Order>) => {
  void answer(order).then((reply) => process.send?.(reply));
});
// Whoever started us is gone: nobody will ever ask for anything again.
process.on('disconnect', () => process.exit());
