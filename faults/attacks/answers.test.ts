import { readFileSync } from 'node:fs';
import { seededRandom, systemClock } from '@voelgoed/engine/kit';
import { changeSeatingPolicy } from '@voelgoed/engine/workflows';
import { signPayment } from '@voelgoed/server/routes';
import {
  aCaller,
  aHall,
  anEngine,
  anOrganization,
  aPublishedEvent,
  done,
  newId,
} from '@voelgoed/testkit/builders';
import { control } from '@voelgoed/testkit/controls';
import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { call, tokenFor } from '@voelgoed/testkit/servers';
import { testServices } from '@voelgoed/testkit/services';
import { PAYMENT_SECRET } from '@voelgoed/testkit/shows';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDetour } from '#hammer';
import {
  type Phase,
  type Shot,
  startTarget,
  type Target,
  type TargetSettings,
  together,
  type Volley,
  volley,
} from './attacks.ts';

/** A tenth of what a node has, so that everything else is ten times as short as well. */
const DEADLINE_MS = 300;
const BUYERS = 30;

const database = useDatabase();
let detour: Awaited<ReturnType<typeof openDetour>>;
let onChunk: ((direction: 'up' | 'down', chunk: Buffer, connection: number) => void) | null = null;
let target: Target;
let stage: Stage;
const running: Target[] = [];

type Stage = Readonly<{
  owner: string;
  buyers: readonly string[];
  eventId: string;
  seats: readonly string[];
  /** Another event, whose board no node has loaded. */
  fresh(): Promise<string>;
}>;

beforeAll(async () => {
  detour = await openDetour(database.ownerUrl, seededRandom(1), (...seen) => {
    onChunk?.(...seen);
    return 'pass';
  });
  target = await aTarget();
  stage = await aStage();
});

afterAll(async () => {
  for (const one of running) await one.end();
  await detour.proxy.close();
});

async function aTarget(off: TargetSettings['off'] = null): Promise<Target> {
  const { authSecret } = testServices();
  const started = await startTarget({
    ownerUrl: detour.through(database.ownerUrl),
    redisUrl: database.redisUrl,
    authSecret,
    environment: {
      PAYMENT_WEBHOOK_SECRET: PAYMENT_SECRET,
      STREAMS_PER_ADDRESS: '10000',
      // Everything is let in: what is refused at the entrance is not in flight.
      SHED_LOAD: '0',
    },
    deadline_ms: DEADLINE_MS,
    off,
  });
  running.push(started);
  return started;
}

async function aStage(): Promise<Stage> {
  const engine = anEngine(database.postgres);
  const scope = await anOrganization(database.postgres);
  const generous = { hold_rate_seats: null, max_seats_per_booking: 1_000 };
  done(await changeSeatingPolicy(engine, aCaller({ scope }), generous, 'owner'));
  const { eventId, layout } = await aPublishedEvent(engine, scope, { config: aHall({ rows: 25 }) });
  const board = await engine.registry.board({ scope, eventId });
  if (!board) throw new Error('a published event has a board');
  const { plan } = board;
  const seats = Array.from({ length: plan.seatCount }, (_, ordinal) => plan.seatIdOf(ordinal));
  const buyers = Array.from({ length: BUYERS }, (_, index) =>
    tokenFor(scope.organizationId, { role: 'customer', subject: `buyer ${index}` }),
  );
  return {
    owner: tokenFor(scope.organizationId),
    buyers,
    eventId,
    seats,
    fresh: async () => (await aPublishedEvent(engine, scope, { layout })).eventId,
  };
}

/** Buyers that the node knows, and a board that it has: then a hold is on the fast path. */
async function introduce(): Promise<void> {
  const path = `POST /api/events/${stage.eventId}/seats/${stage.seats[0]}/reserve`;
  const asked = stage.buyers.map((token) => call(target.address, path, { token, body: {} }));
  await Promise.all(asked);
}

type Named = { token?: string; body?: string; headers?: string };

function request(route: string, { token, body, headers = '' }: Named = {}): string {
  const credential = token ? `authorization: Bearer ${token}\r\n` : '';
  const content =
    body === undefined
      ? ''
      : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
  const head = `${route} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n`;
  return `${head}${credential}${headers}${content}\r\n${body ?? ''}`;
}

function signed(body: string): string {
  const now = Math.floor(systemClock.now() / 1_000);
  return `x-signature: ${signPayment(PAYMENT_SECRET, body, now)}\r\n`;
}

function message(): string {
  const created = Math.floor(systemClock.now() / 1_000);
  const amount = { amount_cents: 100, currency: 'ZAR', created };
  return JSON.stringify({ id: newId(), type: 'payment.succeeded', attempt_id: newId(), ...amount });
}

let turn = 0;
const next = <One>(list: readonly One[]): One => list[turn++ % list.length] as One;

/** What a request with a body can be about. */
const CHANGES: Readonly<Record<string, () => string>> = {
  'payments, no credential': () => request('POST /webhooks/payments/bank', { body: message() }),
  payments: () => {
    const body = message();
    return request('POST /webhooks/payments/bank', { body, headers: signed(body) });
  },
  framework: () => {
    const body = JSON.stringify({ subject: newId(), role: 'viewer' });
    return request('POST /api/admin/members', { token: stage.owner, body });
  },
  'fast path': () => {
    const path = `POST /api/events/${stage.eventId}/seats/${next(stage.seats)}/reserve`;
    return request(path, { token: next(stage.buyers), body: '{"source":"web"}' });
  },
};

const LOOKS: Readonly<Record<string, (eventId: string) => string>> = {
  'framework, no body': (eventId) => request(`GET /api/events/${eventId}/availability`),
  stream: (eventId) => request(`GET /api/events/${eventId}/stream`),
};

/** So many of each kind, all at once. */
function mixed(each: number, eventId: string): Shot[] {
  const kinds = [...Object.values(CHANGES), ...Object.values(LOOKS)];
  return kinds.flatMap((kind) => Array.from({ length: each }, () => ({ bytes: kind(eventId) })));
}

const dropped = () => target.metric('voelgoed_http_answers_dropped_total');

/** One whole answer for each request, and the node lives. */
async function expectOneEach(name: string, fired: readonly Volley[], before: number) {
  const { requests, answers, problems } = together(fired);
  expect(problems).toEqual([]);
  expect(Object.values(answers).reduce((sum, count) => sum + count, 0)).toBe(requests);
  // A node that stands still for a second takes it for Redis that does not answer.
  const printed = target
    .output()
    .split('\n')
    .filter((line) => !line.includes('redis.breaker'));
  expect([target.exit(), printed.join('\n')]).toEqual([null, '']);
  // No second answer went as far as to a response: all were seen above it.
  expect(await target.metric('voelgoed_http_answers_dropped_total', 'at="response"')).toBe(0);
  const bugs = await target.metric('voelgoed_bug_uncaught_total');
  expect(bugs).toBe(0);
  const counted = JSON.stringify(answers);
  const more = (await dropped()) - before;
  console.log(`${name}: ${requests} requests, ${more} second answers dropped: ${counted}`);
}

/** Of a node that has waited too long: for itself, for Postgres, or for a body that is right. */
const LATE = ['503 outcome_unknown', '503 unavailable', '400 invalid_request'];

/** How many were not answered before their deadline. */
function late(fired: readonly Volley[]): number {
  const { answers } = together(fired);
  return LATE.reduce((sum, answer) => sum + (answers[answer] ?? 0), 0);
}

/** The node’s time begins a little after ours; the first and the last are surely on one side. */
const STEPS_MS = [-100, ...Array.from({ length: 51 }, (_, step) => step - 10), 200];

describe('every request gets one whole answer, and the node lives', { timeout: 120_000 }, () => {
  it('when the last byte of a body comes around the deadline, in steps of 1 ms', async () => {
    await introduce();
    const before = await dropped();
    const fired: Volley[] = [];
    for (const stall_ms of [0, 0, 20, 60]) {
      const shots = STEPS_MS.flatMap((step_ms) =>
        Object.values(CHANGES).map((kind) => ({
          bytes: kind(),
          last_ms: DEADLINE_MS + step_ms,
        })),
      );
      const firing = volley(target.address, shots);
      // Then the deadline and the last byte are due in the same turn of the loop.
      if (stall_ms > 0) {
        await systemClock.sleep(DEADLINE_MS - stall_ms / 2);
        expect(await target.stall('poll', stall_ms)).toBeGreaterThanOrEqual(stall_ms);
      }
      fired.push(await firing);
    }
    await expectOneEach('slow bodies', fired, before);
    // Too late, and in time.
    const expected = ['400 invalid_request', '401 signature_invalid'];
    expect(Object.keys(together(fired).answers)).toEqual(expect.arrayContaining(expected));
  });

  it('with 1,500 requests in flight while Postgres stalls', async () => {
    await introduce();
    const eventId = await stage.fresh();
    const before = await dropped();
    detour.proxy.setToxic({ kind: 'blackhole' });
    const fired = [await volley(target.address, mixed(250, eventId))];
    detour.proxy.setToxic(null);
    // What was under way is done now, and has been answered.
    await systemClock.sleep(4 * DEADLINE_MS);
    await expectOneEach('Postgres stalls', fired, before);
    expect(late(fired)).toBeGreaterThan(100);
    const { answers } = together(fired);
    expect([answers['200 done'], answers['201 done']]).toEqual([undefined, undefined]);
  });

  /** From a thirtieth of the deadline to three times as long: 0.1 to 10 s of a real one. */
  const STALLS_MS = [10, 150, 320, 1_000];
  /** When last bytes come, seen from the deadline. */
  const [IN_TIME_MS, TOO_LATE_MS] = [
    [-4, -2],
    [0, 2],
  ];
  /** So many are late without any stall. */
  const LATE_ANYHOW = STALLS_MS.length * Object.keys(CHANGES).length * TOO_LATE_MS.length;
  const PHASES: readonly Phase[] = ['timers', 'poll', 'check', 'next tick', 'microtask'];

  it.each(PHASES)('when the event loop stalls in the phase %s', async (phase) => {
    await introduce();
    const before = await dropped();
    const fired: Volley[] = [];
    for (const stall_ms of STALLS_MS) {
      const slow = Object.values(CHANGES).flatMap((kind) =>
        [...IN_TIME_MS, ...TOO_LATE_MS].map((ms) => ({ bytes: kind(), last_ms: DEADLINE_MS + ms })),
      );
      const firing = volley(target.address, [...slow, ...mixed(4, await stage.fresh())]);
      await systemClock.sleep(Math.max(20, DEADLINE_MS - stall_ms / 2));
      const stalled = target.stall(phase, stall_ms);
      const during = volley(target.address, mixed(4, stage.eventId));
      expect(await stalled).toBeGreaterThanOrEqual(stall_ms);
      fired.push(await firing, await during);
    }
    await expectOneEach(`stalls in ${phase}`, fired, before);
    expect(late(fired)).toBeGreaterThan(LATE_ANYHOW);
  });

  it('when the node is stopped while it has the lock of an event', async () => {
    await introduce();
    const before = await dropped();
    const eventId = await stage.fresh();
    const locking = new Set<number>();
    onChunk = (direction, chunk, connection) => {
      if (direction === 'up' && chunk.includes('flush.lock')) locking.add(connection);
      else if (direction === 'down' && locking.delete(connection)) {
        onChunk = null;
        target.kill('SIGSTOP');
      }
    };
    // Buyers whose holds have to be decided under the lock.
    const holds = Array.from({ length: 60 }, () => ({ bytes: CHANGES['fast path']?.() ?? '' }));
    const firing = volley(target.address, [...holds, ...mixed(40, eventId)]);
    await eventually(() => stateOf(target.pid) === 'T');
    const more = volley(target.address, mixed(20, stage.eventId));
    await systemClock.sleep(4 * DEADLINE_MS);
    target.kill('SIGCONT');
    await expectOneEach('stopped with the lock', [await firing, await more], before);
  });
});

/** The state of a process, by its letter. */
function stateOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.replace(/^.*\) /, '').slice(0, 1);
}

control('one answer', async (off) => {
  const attacked = await aTarget(off.has('one answer') ? 'one answer' : null);
  const kind = CHANGES['payments, no credential'] ?? (() => '');
  const problems: string[] = [];
  for (let round = 0; round < 4 && attacked.exit() === null; round++) {
    const shots = Array.from({ length: 40 }, (_, step) => ({
      bytes: kind(),
      last_ms: DEADLINE_MS - 10 + step / 2,
    }));
    const firing = volley(attacked.address, shots);
    await systemClock.sleep(DEADLINE_MS - 30);
    void attacked.stall('poll', 60);
    problems.push(...(await firing).problems);
  }
  if (attacked.exit() !== null) problems.push(`the node has ended: ${attacked.output()}`);
  return problems;
});
