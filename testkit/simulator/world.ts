import { isOperatingError } from '@voelgoed/engine/kit';
import type { Wish } from '@voelgoed/engine/registry';
import {
  ALL_ON,
  Dice,
  type GuardsOff,
  Machine,
  MemoryDatabase,
  MemoryEvent,
  MemoryRedis,
  RedisRoads,
  Simulation,
  START_MS,
} from '#stores';
import { CONFIG, EVENT, PLAN } from './hall.ts';
import { SimulatedNode, type Surroundings } from './node.ts';
import { NoticeBoard } from './notices.ts';
import { Provider, type Told } from './provider.ts';
import { canLose, type PlannedCommand, type Schedule } from './schedule.ts';
import { strike } from './strike.ts';
import { Trace } from './trace.ts';
import { type Attempt, Memory, type Op, wishOf } from './wishes.ts';

const PATIENCE_MS = 3_000;
const TRIES = 4;
/** Nobody who waits is answered later than this, however slow everything is. */
const LATEST_MS = PATIENCE_MS + 500;

/** Nodes that sell one event to impatient clients, in a world where everything can break. */
export class World {
  readonly schedule: Schedule;
  readonly simulation = new Simulation();
  readonly trace: Trace;
  readonly database: MemoryDatabase;
  readonly redis: MemoryRedis;
  readonly roads = new RedisRoads();
  readonly notices: NoticeBoard;
  readonly provider: Provider;
  readonly off: GuardsOff;
  readonly ops: Op[] = [];
  /** What was seen to be wrong while it ran. */
  readonly problems: string[] = [];
  readonly memory = new Memory();
  nodes: SimulatedNode[] = [];
  /** Faults are over: from now on everything must come right. */
  isHealed = false;
  #boots = 0;
  #open = 0;
  #given = 0;
  readonly #around: Surroundings;

  constructor(schedule: Schedule, settings: { off?: GuardsOff; trace?: boolean } = {}) {
    const { simulation } = this;
    const { off = ALL_ON, trace = false } = settings;
    const { seed } = schedule;
    this.schedule = schedule;
    this.off = off;
    this.trace = new Trace(trace, () => simulation.time_ms);
    const { say } = this.trace;
    const event = new MemoryEvent(PLAN, CONFIG, schedule.copies);
    const fails = canLose(schedule);
    const { standby } = schedule;
    this.database = new MemoryDatabase(simulation, event, { off, say, fails, standby });
    const publish = (channel: string, message: string) => this.roads.publish(channel, message);
    this.redis = new MemoryRedis(() => START_MS + simulation.time_ms, publish, off);
    this.notices = new NoticeBoard(simulation, new Dice(seed, 'notices'));
    this.provider = new Provider(simulation, seed, (message) => this.#tell(message));
    this.#around = {
      database: this.database,
      redis: this.redis,
      roads: this.roads,
      notices: this.notices,
      off,
      say,
      holdSeconds: schedule.hold_seconds,
      complain: (problem) => this.problems.push(problem),
      followed: (node, row) => this.#followed(node, row),
    };
    for (let index = 0; index < schedule.nodes; index++) this.boot(index);
  }

  /** Plans everything that is given to happen. */
  begin(): void {
    for (const command of this.schedule.commands) {
      this.simulation.after(command.at_ms, () => this.#wish(command));
    }
    for (const fault of this.schedule.faults) {
      this.simulation.after(fault.at_ms, () => strike(this, fault));
    }
  }

  /** Everybody who asked has been answered. */
  get isAnswered(): boolean {
    return this.#given === this.schedule.commands.length && this.#open === 0;
  }

  /** Whatever is broken is repaired; nodes that were killed or stopped come back by themselves. */
  heal(): void {
    this.isHealed = true;
    this.trace.say('world', () => 'faults are over');
    this.notices.silent_ms = 0;
    this.database.linkStandby();
    for (const { store, road, machine } of this.nodes) {
      store.heal();
      road.heal();
      machine.stopsDeciding_ms = 0;
    }
    if (!this.schedule.reaperIsOff) return;
    for (const node of this.nodes) node.keepSweeping();
  }

  boot(index: number): void {
    const { seed, skew_ms, reaperIsOff } = this.schedule;
    const dice = new Dice(seed, `node ${index} ${this.#boots++}`);
    const off_ms = dice.between(-skew_ms, skew_ms);
    const machine = new Machine(`node ${index}`, this.simulation, off_ms, dice.upTo(100_000));
    const node = new SimulatedNode(machine, dice, this.#around);
    this.nodes[index] = node;
    node.start(!reaperIsOff || this.isHealed);
  }

  /** One wish goes to some node, and again, with its key, while nobody knows what came of it. */
  #wish(planned: PlannedCommand): void {
    const { seed, rush } = this.schedule;
    const { index } = planned;
    this.#given++;
    const dice = new Dice(seed, `wish ${index}`);
    const id = `wish ${index}`;
    const wish = wishOf(dice, id, rush, this.memory, this.database.event);
    const op: Op = { index, id, ...wish, keyed: dice.chance(0.6), attempts: [] };
    this.ops.push(op);
    if (op.command === 'read') return this.#read(op, dice);
    const copies = op.keyed && dice.chance(0.05) ? 2 : 1;
    for (let copy = 0; copy < copies; copy++) this.#try(op, dice, TRIES);
  }

  #try(op: Op, dice: Dice, tries: number): void {
    this.ask(op, dice, (attempt) => {
      const isUnsure = typeof attempt.answer === 'string';
      if (!isUnsure || !op.keyed || tries <= 1) return;
      this.#open++;
      this.simulation.after(dice.upTo(300), () => {
        this.#open--;
        this.#try(op, dice, tries - 1);
      });
    });
  }

  /** One attempt; whoever asks a node that dies learns only that the connection is gone. */
  ask(op: Op, dice: Dice, then: (attempt: Attempt) => void): void {
    const node = this.nodes[dice.upTo(this.nodes.length - 1)] as SimulatedNode;
    const { machine } = node;
    const { simulation } = this;
    const invoked_ms = simulation.time_ms;
    const attempt: Attempt = {
      node: machine.name,
      invoked_ms,
      heard_ms: null,
      answered_ms: 0,
      answer: null,
    };
    op.attempts.push(attempt);
    this.#open++;
    const settle = (answer: Attempt['answer']) => {
      if (attempt.answer !== null) return;
      attempt.answer = answer;
      attempt.answered_ms = simulation.time_ms;
      this.#open--;
      if (answer !== null) this.#heard(op, attempt);
      then(attempt);
    };
    if (!machine.isAlive) return simulation.after(1, () => settle('connection_lost'));
    this.trace.say(op.user, () => `asks ${machine.name}: ${JSON.stringify(op.command)} (${op.id})`);
    machine.deliver(() => {
      attempt.heard_ms = simulation.time_ms;
      node.registry.submit(EVENT, this.#wishFor(op, node)).then(
        (answer) => machine.deliver(() => settle(answer)),
        (error) => machine.deliver(() => settle(codeOf(error))),
      );
    });
    this.#watch(op, attempt, machine, settle);
  }

  /** Whoever waits is answered in time, unless the machine is gone. */
  #watch(op: Op, attempt: Attempt, machine: Machine, settle: (answer: string) => void): void {
    this.simulation.after(LATEST_MS, () => {
      if (attempt.answer !== null) return;
      if (!machine.isAlive) return settle('connection_lost');
      const since_ms = attempt.heard_ms ?? this.simulation.time_ms;
      const isEarly = this.simulation.time_ms < since_ms + LATEST_MS - 1;
      if (machine.isStopped || attempt.heard_ms === null || isEarly) {
        return this.#watch(op, attempt, machine, settle);
      }
      this.problems.push(`${op.id} was not answered within ${LATEST_MS} ms`);
      settle('no_answer');
    });
  }

  #wishFor(op: Op, node: SimulatedNode): Wish {
    const bodyHash = Buffer.from(op.id);
    const key = op.keyed ? { userId: op.user, route: 'wishes', key: op.id, bodyHash } : null;
    const actor = { kind: 'user', id: op.user, role: 'customer' } as const;
    const deadline_ms = node.clock.monotonic() + PATIENCE_MS;
    let { command } = op;
    if (command === 'read') throw new Error('reading is no wish');
    if (command.kind === 'release' && this.off.has('paying not reapable')) {
      command = { ...command, force: true };
    }
    return { command, actor, context: null, key, deadline_ms };
  }

  #heard(op: Op, { answer, node }: Attempt): void {
    if (answer === null) return;
    this.trace.say(op.user, () => `hears from ${node}: ${JSON.stringify(answer)} (${op.id})`);
    this.memory.hear(op.user, answer);
    const begun = typeof answer !== 'string' && answer.kind === 'done' && answer.outcome;
    if (begun && begun.kind === 'payment_begun') this.provider.begin(begun);
    if (typeof answer === 'string' && answer.startsWith('bug')) {
      this.problems.push(`${answer} for ${op.id}`);
    }
  }

  /** A board to read from is at most 1.5 s old. */
  #read(op: Op, dice: Dice): void {
    const { machine, registry } = dice.pick(this.nodes);
    const { commits, lost } = this.database;
    const since_ms = this.simulation.time_ms - 1_500;
    const least = commits.findLast(({ at_ms }) => at_ms < since_ms)?.revision ?? 0;
    machine.deliver(() => {
      registry.board(EVENT).then(
        (board) => {
          const revision = board?.revision ?? 0;
          if (revision >= least || lost.length > 0) return;
          this.problems.push(`${op.id}: a reader got revision ${revision}, not ${least}`);
        },
        () => {},
      );
    });
  }

  /** Every row on every board is the log's. */
  #followed(node: string, { revision, hash }: { revision: number; hash: string }): void {
    this.trace.say(node, () => `board at ${revision}`);
    const row = this.database.event.log[revision - 1]?.row;
    if (row?.hash === hash || this.database.lost.length > 0) return;
    this.problems.push(`${node} has applied a row ${revision} that the log does not have`);
  }

  /** The provider reaches any node; whatever is not an answer is no hearing. */
  #tell(message: Told): Promise<boolean> {
    const node = this.nodes.find(({ machine }) => machine.isAlive && !machine.isStopped);
    if (!node) return Promise.resolve(false);
    const deadline_ms = node.clock.monotonic() + PATIENCE_MS;
    const actor = { kind: 'system', id: null, role: null } as const;
    const command = { kind: 'payment_message', ...this.#readdressed(message) } as const;
    this.trace.say(
      'provider',
      () => `${message.type} of ${message.attempt_id} to ${node.machine.name}`,
    );
    const wish = { command, actor, context: null, key: null, deadline_ms };
    return new Promise((resolve) => {
      this.simulation.after(LATEST_MS, () => resolve(false));
      node.registry.submit(EVENT, wish).then(
        (answer) => resolve(answer.kind === 'done'),
        (error) => {
          if (!isOperatingError(error)) this.problems.push(`payment message: ${String(error)}`);
          resolve(false);
        },
      );
    });
  }

  #readdressed(message: Told): Told {
    if (!this.off.has('attempt check') || message.type !== 'payment.failed') return message;
    const { attempts } = this.database.event.sales.checkouts.get(message.checkout_id) ?? {};
    return { ...message, attempt_id: attempts?.at(-1)?.attempt_id ?? message.attempt_id };
  }
}

function codeOf(error: unknown): string {
  return isOperatingError(error) ? error.code : `bug: ${String(error)}`;
}
