import { createHash } from 'node:crypto';
import { type Board, BoardPlan, type Command, type Hold } from '@voelgoed/engine/board';
import { isOperatingError, uuidOf, uuidv7 } from '@voelgoed/engine/kit';
import { DEFAULT_POLICY } from '@voelgoed/engine/policies';
import { type Answer, type Claimed, type Claims, SeatRegistry } from '@voelgoed/engine/registry';
import { scopeOf } from '@voelgoed/engine/scope';
import { type Happening, recordingTelemetry } from '@voelgoed/engine/telemetry';
import { blockOf, extendOf, holdOf, releaseOf } from '#sales';
import { MemoryEvent } from './memory-event.ts';
import { type Laws, MemoryStore } from './memory-store.ts';
import { saleCommand } from './simulated-commands.ts';
import { SimulatedProvider, type Told } from './simulated-provider.ts';
import { Simulation } from './simulation.ts';

/** One wish of one client, with everything that was answered to it, however often it was sent. */
export type Op = Readonly<{
  id: string;
  user: string;
  command: Command;
  keyed: boolean;
  /** An answer, or the code of an error. */
  attempts: (Answer | string)[];
}>;

const SEATS = 10;
const PLACES = 6;
const USERS = 5;
const WISHES = 8;
/** Short, so that holds end all the time. */
const HOLD_SECONDS = 2;
const SCOPE = scopeOf(uuidOf('organization'));
const EVENT_ID = uuidOf('event');
const EVENT = { scope: SCOPE, eventId: EVENT_ID };

type Node = Readonly<{ registry: SeatRegistry; happenings: readonly Happening[] }>;

/** Nodes that sell one event to impatient clients, over a network that loses what it can. */
export class SimulatedSale {
  readonly simulation: Simulation;
  readonly store: MemoryStore;
  readonly nodes: Node[] = [];
  readonly ops: Op[] = [];
  readonly event = EVENT;
  readonly provider: SimulatedProvider;
  readonly bugs: string[] = [];
  /** What each node saw in the end. */
  readonly boards = new Map<SeatRegistry, Board | null>();
  readonly #clocks = new Map<SeatRegistry, { monotonic(): number }>();

  constructor(seed: number, laws: Laws = { lock: true, guards: true }) {
    this.simulation = new Simulation(seed);
    this.store = new MemoryStore(this.simulation, new MemoryEvent(aPlan(), CONFIG), laws);
    this.provider = new SimulatedProvider(this.simulation, (message) => this.#hear(message));
    const count = 2 + this.simulation.upTo(1);
    for (let node = 0; node < count; node++) this.#addNode();
  }

  /** Sells under faults, then heals everything and asks again whatever nobody knows. */
  run(): Promise<void> {
    return this.simulation.run(this.#sell());
  }

  async #sell(): Promise<void> {
    const users = Array.from({ length: USERS }, (_, index) => uuidOf('user', String(index)));
    await Promise.all([...users.map((user) => this.#live(user)), this.#age()]);
    this.store.isCalm = true;
    await this.simulation.sleep(2_500);
    for (const op of this.ops) await this.#clearUp(op);
    await this.provider.settled();
    await this.#catchUp();
  }

  #addNode(): void {
    const { simulation, store } = this;
    const clock = simulation.clock(simulation.upTo(600_000) - 300_000);
    const telemetry = recordingTelemetry();
    const feed = {
      publish: (_: unknown, { revision }: { revision: number }) => this.#tell(registry, revision),
    };
    const tools = { clock, random: simulation.random, telemetry };
    const demoHoldSeconds = HOLD_SECONDS;
    const claims = this.#lyingClaims();
    const registry = new SeatRegistry({ ...tools, store, feed, claims, demoHoldSeconds });
    this.nodes.push({ registry, happenings: telemetry.happenings });
    this.#clocks.set(registry, clock);
  }

  /** A tier that says whatever comes to its mind, late or not at all: nobody may notice. */
  #lyingClaims(): Claims {
    const { simulation } = this;
    return {
      claim: (_, board, { items }) => {
        if (simulation.chance(0.3)) return null;
        const said = simulation.upTo(2);
        const [seatId = ''] = items.flatMap((item) => ('seat_id' in item ? item.seat_id : []));
        const known = board.holdOfSeat(board.plan.ordinalOf(seatId) ?? -1);
        const holdId = simulation.chance(0.5) && known ? known.hold_id : uuidOf('a lie');
        const revision = Math.max(0, board.revision + 2 - simulation.upTo(4));
        const seen = { seatId, holdId, revision, raw: '' };
        const claimed: Claimed =
          said === 0
            ? { kind: 'held', seen }
            : { kind: 'go_on', claim: said === 1 ? { seatIds: [seatId], value: '' } : null };
        return simulation.sleep(simulation.upTo(50)).then(() => claimed);
      },
      giveBack: () => {},
      heal: () => {},
    };
  }

  /** Messages between nodes are lost, doubled and late. */
  #tell(from: SeatRegistry, revision: number): void {
    const { simulation } = this;
    for (const { registry } of this.nodes) {
      if (registry === from) continue;
      const copies = simulation.chance(0.3) ? 0 : simulation.chance(0.2) ? 2 : 1;
      for (let copy = 0; copy < copies; copy++) {
        simulation.after(simulation.upTo(400), () => registry.hear(EVENT_ID, revision));
      }
    }
  }

  /** What happens by itself: polls, sweeps, and sometimes one node more. */
  async #age(): Promise<void> {
    const { simulation } = this;
    for (let round = 0; round < 10; round++) {
      await simulation.sleep(200 + simulation.upTo(400));
      const { registry } = simulation.pick(this.nodes);
      if (simulation.chance(0.5)) await registry.poll();
      else await this.#sweep(registry);
      if (simulation.chance(0.05)) this.#addNode();
    }
  }

  async #sweep(registry: SeatRegistry): Promise<void> {
    const now_ms = this.#clocks.get(registry)?.monotonic() ?? 0;
    await registry.sweep(EVENT, now_ms + 2_000).catch(() => {});
  }

  async #live(user: string): Promise<void> {
    const { simulation } = this;
    for (let count = 0; count < WISHES; count++) {
      await simulation.sleep(simulation.upTo(500));
      const op = this.#newOp(user);
      const copies = op.keyed && simulation.chance(0.1) ? 2 : 1;
      await Promise.all(Array.from({ length: copies }, () => this.#attempt(op)));
      for (let again = 0; again < 3 && op.keyed && isUnsure(op); again++) {
        await simulation.sleep(simulation.upTo(300));
        await this.#attempt(op);
      }
    }
  }

  #newOp(user: string): Op {
    const id = uuidv7(this.#source());
    const keyed = this.simulation.chance(0.6);
    const op: Op = { id, user, command: this.#command(user, id), keyed, attempts: [] };
    this.ops.push(op);
    return op;
  }

  /** The name of the wish is the name of its cart, so that the log shows whose each hold is. */
  #command(user: string, id: string): Command {
    const { simulation } = this;
    const own = simulation.pick([...this.#heldBy(user), undefined]);
    if (simulation.chance(0.35)) {
      const answers = this.ops.filter((op) => op.user === user).flatMap((op) => op.attempts);
      const wish = saleCommand(simulation, user, answers, this.store.event.sales);
      if (wish) return wish;
    }
    const dice = simulation.upTo(99);
    const seat = () => seatId(simulation.upTo(SEATS - 1));
    if (dice < 12) {
      const best = { ...BEST, quantity: 1 + simulation.upTo(2) };
      return holdOf(user, [], { cart_token: id, best });
    }
    if (dice < 50) {
      const seats = Array.from({ length: 1 + simulation.upTo(2) }, seat);
      return holdOf(user, [...new Set(seats)], { cart_token: id });
    }
    if (dice < 65) return holdOf(user, [[ZONES.floor, 1 + simulation.upTo(2)]], { cart_token: id });
    if (dice < 77 && own) return extendOf(user, own.hold_id);
    if (dice < 87 && own) return releaseOf({ hold_ids: [own.hold_id] }, { owner: user });
    if (dice < 91) return releaseOf({ user_id: user }, { owner: user });
    if (dice < 95) return blockOf([seat(), seat()], simulation.pick(['block', 'unblock']));
    if (dice < 97) return releaseOf('all', { reason: 'admin_override' });
    return holdOf(user, [seat(), [ZONES.floor, 1]], { cart_token: id });
  }

  /** What a client believes to hold. */
  #heldBy(user: string): Hold[] {
    return this.ops
      .filter((op) => op.user === user)
      .flatMap(({ attempts }) => attempts)
      .flatMap((answer) => {
        const held = typeof answer !== 'string' && answer.kind === 'done' && answer.outcome;
        return held && held.kind === 'held' ? held.holds : [];
      });
  }

  async #attempt(op: Op): Promise<void> {
    const { registry } = this.simulation.pick(this.nodes);
    const deadline_ms = (this.#clocks.get(registry)?.monotonic() ?? 0) + 3_000;
    const bodyHash = createHash('sha256').update(op.id).digest();
    const key = op.keyed ? { userId: op.user, route: 'wishes', key: op.id, bodyHash } : null;
    const actor = { kind: 'user', id: op.user, role: 'customer' } as const;
    const wish = { command: op.command, actor, context: null, key, deadline_ms };
    const answer = await registry
      .submit(EVENT, wish)
      .catch((error) => (isOperatingError(error) ? error.code : `bug: ${String(error)}`));
    op.attempts.push(answer);
    const begun = typeof answer !== 'string' && answer.kind === 'done' && answer.outcome;
    if (begun && begun.kind === 'payment_begun') this.provider.begin(begun);
  }

  /** The provider reaches any node; whatever is not an answer is no hearing. */
  async #hear(message: Told): Promise<boolean> {
    const { registry } = this.simulation.pick(this.nodes);
    const deadline_ms = (this.#clocks.get(registry)?.monotonic() ?? 0) + 3_000;
    const actor = { kind: 'system', id: null, role: null } as const;
    const command = { kind: 'payment_message', ...message } as const;
    const wish = { command, actor, context: null, key: null, deadline_ms };
    return registry.submit(EVENT, wish).then(
      ({ kind }) => kind === 'done',
      (error) => {
        if (!isOperatingError(error)) this.bugs.push(`payment message: ${String(error)}`);
        return false;
      },
    );
  }

  /** Whoever was ever left in doubt asks again until there is an answer. */
  async #clearUp(op: Op): Promise<void> {
    if (!op.keyed || !op.attempts.includes('outcome_unknown')) return;
    await Promise.all(this.nodes.map(({ registry }) => registry.poll()));
    await this.simulation.sleep(100);
    for (let tries = 0; tries < 3; tries++) {
      await this.#attempt(op);
      if (typeof op.attempts.at(-1) !== 'string') return;
    }
  }

  async #catchUp(): Promise<void> {
    await this.simulation.sleep(HOLD_SECONDS * 10_000);
    for (const { registry } of this.nodes) await this.#sweep(registry);
    await Promise.all(this.nodes.map(({ registry }) => registry.poll()));
    await this.simulation.sleep(1_000);
    for (const { registry } of this.nodes) this.boards.set(registry, await registry.board(EVENT));
    await Promise.all(this.nodes.map(({ registry }) => registry.stop()));
  }

  #source() {
    const { random } = this.simulation;
    return { random, clock: { now: () => this.simulation.time_ms, monotonic: () => 0 } };
  }
}

function isUnsure({ attempts }: Op): boolean {
  return attempts.every((answer) => typeof answer === 'string');
}

function seatId(ordinal: number): string {
  return uuidOf('seat', String(ordinal));
}

/** The engine chooses; wherever, and alone if need be. */
const BEST = {
  quantity: 1,
  zone_ids: [],
  price_cents: null,
  categories: [],
  accessible: 0,
  together: false,
  general_admission: true,
  people: [],
} as const;

const ZONES = { stalls: uuidOf('zone', 'stalls'), floor: uuidOf('zone', 'floor') };

const CONFIG = {
  version: 1,
  event: {
    status: 'published',
    sale_opens_ms: 0,
    sale_closes_ms: Number.MAX_SAFE_INTEGER,
    rescheduled: false,
    ends_ms: Number.MAX_SAFE_INTEGER,
  },
  policy: { ...DEFAULT_POLICY, orphan_avoidance_strict: false },
  zones: [
    { zone_id: ZONES.stalls, name: 'Stalls', has_seats: true },
    { zone_id: ZONES.floor, name: 'Floor', has_seats: false },
  ].map((zone) => ({
    ...zone,
    zone_type: zone.has_seats ? ('reserved_seating' as const) : ('ga_standing' as const),
    capacity: zone.has_seats ? SEATS : PLACES,
    access_mode: 'public' as const,
    membership_tier: null,
    allowed_roles: [],
    disabled: false,
    whitelist: [],
    price_cents: 100,
  })),
  currency: 'ZAR',
  layout: { layout_id: uuidOf('layout'), version: 1 },
} as const;

function aPlan(): BoardPlan {
  const ids = Array.from({ length: SEATS }, (_, ordinal) => seatId(ordinal));
  return new BoardPlan({
    seatIds: Buffer.from(ids.join('').replaceAll('-', ''), 'hex'),
    zones: new Uint16Array(SEATS),
    runs: new Uint32Array(SEATS),
    numbers: Int32Array.from(ids, (_, ordinal) => ordinal + 1),
    rows: new Uint32Array(SEATS),
    rowNames: [{ section: null, row: 'A' }],
    labels: ids.map((_, ordinal) => String(ordinal)).join(''),
    labelEnds: Uint32Array.from(ids, (_, ordinal) => ordinal + 1),
    x: Int32Array.from(ids, (_, ordinal) => ordinal * 1_000),
    y: new Int32Array(SEATS),
    // Seat 4 is a wheelchair space and 5 its companion's: most sales release them now and then.
    categories: Uint8Array.from(ids, (_, ordinal) => [0, 0, 0, 0, 1, 2][ordinal] ?? 0),
    companionOf: Int32Array.from(ids, (_, ordinal) => (ordinal === 5 ? 4 : -1)),
    focalPoints: [{ x: 0, y: 0 }],
  });
}
