/**
 * Fuzz: thousands of requests made from the routes' own schemas, right, nearly right and hostile,
 * with credentials and ids that are real, so that they get past the first door. It knows schemas,
 * HTTP and what an answer must look like; the server, its data and who may ask are handed in. The
 * same seed makes the same requests.
 */
import { seededRandom, systemClock } from '@voelgoed/engine/kit';
import { Dice } from './dice.ts';
import { problemsOf } from './judge.ts';
import type { Operation } from './operations.ts';
import { Pool } from './pool.ts';
import { type Asked, type Making, makeRequest } from './requests.ts';
import { type Answer, type NoAnswer, newAgent, send } from './send.ts';
import { Values } from './values.ts';

export { Dice } from './dice.ts';
export { problemsOf } from './judge.ts';
export { kindOf, type OpenApi, type Operation, operationsOf } from './operations.ts';
export { Pool } from './pool.ts';
export { type Answer, type NoAnswer, newAgent, send } from './send.ts';
export { Values } from './values.ts';

export type Credential = Readonly<{ name: string; header: string | null }>;

export type FuzzWorld = Readonly<{
  address: string;
  operations: readonly Operation[];
  /** Things that are there, by kind. */
  ids: Readonly<Record<string, readonly string[]>>;
  /** Never handed to a request: whoever asks would shut themselves out. */
  spared: ReadonlySet<string>;
  samples: Making['samples'];
  sign: Making['sign'];
  urls: readonly string[];
  /** The right one first. */
  credentials(operation: Operation): readonly Credential[];
  /** Names in the other organization: in no answer of ours, whatever was asked. */
  secrets: readonly string[];
  /** Somebody new with new things, now and then, in place of those that have ended. */
  refresh(): Promise<readonly Readonly<Record<string, readonly string[]>>[]>;
}>;

export type Finding = Readonly<{ turn: number; request: string; problem: string }>;

export type FuzzReport = Readonly<{
  requests: number;
  /** How often each status was answered. */
  statuses: ReadonlyMap<number, number>;
  /** Routes that were asked, and those that said yes at least once. */
  asked: ReadonlySet<string>;
  succeeded: ReadonlySet<string>;
  findings: readonly Finding[];
  /** Busy answers that were good when asked again alone. */
  repeated: number;
  slowest_ms: number;
}>;

const REFRESH_EVERY = 250;
/** Longer than the deadline of ordinary routes; what may take a minute is small here. */
const BOUND_MS = 10_000;
/** What ends things for good is asked less often, or nothing would be left to ask about. */
const SELDOM = /\/(?:cancel|end|archive|postpone|suspend|personal-data)$/;

export async function fuzz(
  world: FuzzWorld,
  options: { requests: number; seed: number; bound_ms?: number; say?: (line: string) => void },
): Promise<FuzzReport> {
  const run = new FuzzRun(world, options.seed, options.bound_ms ?? BOUND_MS);
  try {
    for (let turn = 0; turn < options.requests; turn++) {
      if (turn % REFRESH_EVERY === 0) run.add(await world.refresh());
      await run.ask(turn);
      if (turn % 2_000 === 1_999) options.say?.(run.summary(turn + 1));
    }
    return run.report(options.requests);
  } finally {
    run.close();
  }
}

class FuzzRun {
  readonly #world: FuzzWorld;
  readonly #bound_ms: number;
  readonly #dice: Dice;
  readonly #making: Making;
  readonly #agent = newAgent();
  readonly #statuses = new Map<number, number>();
  readonly #asked = new Set<string>();
  readonly #succeeded = new Set<string>();
  readonly #findings: Finding[] = [];
  #left: Operation[] = [];
  #repeated = 0;
  #slowest_ms = 0;

  constructor(world: FuzzWorld, seed: number, bound_ms: number) {
    this.#world = world;
    this.#bound_ms = bound_ms;
    this.#dice = new Dice(seededRandom(seed));
    const pool = new Pool(world.spared, world.secrets);
    const { samples, sign, urls } = world;
    const dice = this.#dice;
    const values = new Values({ dice, pool, now_ms: systemClock.now(), urls });
    this.#making = { dice, pool, values, samples, sign };
    pool.addFamily(world.ids);
  }

  add(families: readonly Readonly<Record<string, readonly string[]>>[]): void {
    for (const ids of families) this.#making.pool.addFamily(ids);
  }

  async ask(turn: number): Promise<void> {
    const operation = this.#next();
    this.#making.pool.turnTo(this.#dice);
    const asked = makeRequest(this.#making, operation);
    const credentials = this.#world.credentials(operation);
    const right = this.#dice.chance(0.9);
    const credential = right ? credentials[0] : this.#dice.one(credentials);
    const headers = { ...asked.headers };
    if (credential?.header) headers.authorization = credential.header;
    const wish = { ...asked, headers, address: this.#world.address, bound_ms: this.#bound_ms };
    const started = systemClock.monotonic();
    let answer = await send(this.#agent, wish);
    this.#slowest_ms = Math.max(this.#slowest_ms, systemClock.monotonic() - started);
    if (answer.status === 503) {
      // A machine's no is no mistake of the route, if it is gone when nobody else asks.
      this.#repeated++;
      answer = await send(this.#agent, wish);
    }
    this.#count(turn, asked, credential?.name ?? 'nobody', answer);
  }

  #count(turn: number, asked: Asked, who: string, answer: Answer | NoAnswer): void {
    const { operation, method } = asked;
    this.#statuses.set(answer.status, (this.#statuses.get(answer.status) ?? 0) + 1);
    this.#asked.add(operation.name);
    const found = 'reason' in answer ? [answer.reason] : this.#judge(asked, who, answer);
    for (const problem of found) {
      this.#findings.push({ turn, request: textOf(asked, who), problem });
    }
    if ('reason' in answer || answer.status >= 300 || method !== operation.method) return;
    this.#succeeded.add(operation.name);
    const isJson = answer.headers['content-type']?.startsWith('application/json');
    if (isJson && answer.text !== '') this.#making.pool.learn(JSON.parse(answer.text));
  }

  #judge({ operation, method, path }: Asked, who: string, answer: Answer): string[] {
    // With another method it may be another route of the same path.
    const met = this.#world.operations.find(
      (one) => one.path === operation.path && one.method === method,
    );
    const problems = problemsOf(answer, met ? orNone(met) : null, method);
    const told = this.#world.secrets.filter((secret) => answer.text.includes(secret));
    if (who === 'stranger' || path.startsWith('/api/platform')) return problems;
    return [...problems, ...told.map((secret) => `tells ${secret}`)];
  }

  summary(turns: number): string {
    const statuses = [...this.#statuses].sort(([a], [b]) => a - b).map((pair) => pair.join(': '));
    return `${turns} requests; ${statuses.join(', ')}; ${this.#findings.length} findings`;
  }

  report(requests: number): FuzzReport {
    return {
      requests,
      statuses: this.#statuses,
      asked: this.#asked,
      succeeded: this.#succeeded,
      findings: this.#findings,
      repeated: this.#repeated,
      slowest_ms: Math.round(this.#slowest_ms),
    };
  }

  close(): void {
    this.#agent.destroy();
  }

  /** All routes in turn, each time in another order. */
  #next(): Operation {
    if (this.#left.length === 0) {
      const { operations } = this.#world;
      this.#left = operations.filter(({ path }) => !SELDOM.test(path) || this.#dice.chance(0.15));
    }
    const at = this.#dice.upTo(this.#left.length - 1);
    const [operation] = this.#left.splice(at, 1);
    if (!operation) throw new Error('there are no routes');
    return operation;
  }
}

/** A path that was spoilt may meet no route at all, which is told by the common code. */
function orNone(operation: Operation): Operation {
  const codes = [...(operation.replies.get(404) ?? []), 'not_found'];
  return { ...operation, replies: new Map([...operation.replies, [404, codes]]) };
}

function textOf({ method, path, headers, body, style }: Asked, who: string): string {
  const said = body === null ? '' : ` ${body.toString().slice(0, 600)}`;
  return `${who}: ${method} ${path.slice(0, 300)} (${style}) ${JSON.stringify(headers)}${said}`;
}
