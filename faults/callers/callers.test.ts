import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { userIdOf } from '@voelgoed/engine/accounts';
import { systemClock } from '@voelgoed/engine/kit';
import { scopeOf } from '@voelgoed/engine/scope';
import { createEvent } from '@voelgoed/engine/workflows';
import {
  aCaller,
  anEngine,
  anOrganization,
  aShow,
  done,
  loadSeconds,
  printedRandom,
} from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { call, type StartedProcess, startProcess, tokenFor } from '@voelgoed/testkit/servers';
import { testServices } from '@voelgoed/testkit/services';
import { aStage } from '@voelgoed/testkit/stages';
import { afterEach, describe, expect, it } from 'vitest';
import { Load, machine_ms, Recorder, type Stage } from '#hammer';
import { checkHistory, HistoryReader, type Operation, readFinalState } from '#history';
import { HttpWisher } from './callers.ts';

/** `SECONDS=60 npm test -- faults/callers` is the long form. */
const SECONDS = loadSeconds(6);
/** So much has to be done before it says anything, however slow the machine is. */
const LEAST_DONE = 200;
const PATIENCE_MS = 60_000;
const NODES = ['one', 'two', 'three'];
const BUYERS = 1_000;
/** Nothing but the seats themselves stands in anybody's way. */
const GENEROUS = { hold_rate_seats: null, max_seats_per_booking: 50 };

const database = useDatabase();
const started: StartedProcess[] = [];

afterEach(async () => {
  for (const { child } of started) child.kill('SIGTERM');
  await Promise.all(started.splice(0).map(({ exited }) => exited));
});

/** The start command as everybody runs it; holds of a second, and no Redis. */
async function startServer(): Promise<string> {
  const server = startProcess('server/processes/start.ts', {
    PORT: '0',
    DATABASE_URL: database.ownerUrl,
    AUTH_SECRET: testServices().authSecret,
    REDIS_URL: '',
    DEMO: '1',
    DEMO_HOLD_TTL_SECONDS: '1',
  });
  started.push(server);
  return (await server.says(/is ready: (http:\S+)/))[1] ?? '';
}

/** Short holds are for demo mode, whose shows would take longer to build than all of this. */
async function emptyDemo(): Promise<void> {
  const engine = anEngine(database.postgres);
  const caller = aCaller({ scope: await anOrganization(database.postgres, { slug: 'demo' }) });
  for (const slug of ['theatre', 'festival', 'arena']) {
    done(await createEvent(engine, caller, { ...aShow(), slug }));
  }
}

function buyersOf(organizationId: string): Map<string, string> {
  const subjects = Array.from({ length: BUYERS }, (_, index) => `buyer ${index}`);
  const seconds = 3_600;
  return new Map(
    subjects.map((subject) => [
      userIdOf(organizationId, subject),
      tokenFor(organizationId, { subject, role: 'customer', seconds }),
    ]),
  );
}

type Caller = Readonly<{ wisher: HttpWisher; history(): Operation[]; address: string }>;

async function callersOf(stage: Stage, seed: number, tokens: Map<string, string>) {
  await emptyDemo();
  const addresses = await Promise.all(NODES.map(startServer));
  return NODES.map((name, index): Caller => {
    const file = join(stage.folder, `${name}.ndjson`);
    const address = addresses[index] ?? '';
    const wisher = new HttpWisher({
      address,
      eventId: stage.eventId,
      tokenOf: (user) => tokens.get(user) ?? '',
      recorder: new Recorder(name, file),
      seed: seed + index,
    });
    const history = () => new HistoryReader().add(readFileSync(file, 'utf8')).operations;
    return { wisher, history, address };
  });
}

/** Whoever has a key and does not know asks again, on another node, until somebody knows. */
async function settle(callers: readonly Caller[], operations: readonly Operation[]) {
  const last = new Map<string, Operation>();
  const sent = [...operations].sort((one, other) => one.invoked_ms - other.invoked_ms);
  for (const operation of sent) if (operation.key !== null) last.set(operation.wish, operation);
  const unknown = [...last.values()].filter(({ outcome }) => outcome === 'unknown');
  for (const [index, operation] of unknown.entries()) {
    const { wisher } = callers[index % callers.length] ?? {};
    await eventually(async () => (await wisher?.send(operation))?.outcome !== 'unknown');
  }
  return unknown.length;
}

function countsOf(operations: readonly Operation[]): Record<string, number> {
  const names = operations.map(({ asked, outcome, code }) => `${asked.op} ${outcome} ${code}`);
  const groups = Map.groupBy(names, (name) => name);
  return Object.fromEntries([...groups].map(([name, list]) => [name, list.length]).sort());
}

function isDone({ outcome }: Operation): boolean {
  return outcome === 'done';
}

function isHeld({ outcome, asked, holds }: Operation): boolean {
  return outcome === 'done' && asked.op === 'hold' && holds.length > 0;
}

describe('three servers that share one event', () => {
  it('keep every promise that they make over HTTP', {
    timeout: SECONDS * 1_000 + 150_000,
  }, async () => {
    const { seed } = printedRandom('callers');
    const stage = await aStage(database, GENEROUS);
    const { organizationId, eventId, seats, zones } = stage;
    const tokens = buyersOf(organizationId);
    const callers = await callersOf(stage, seed, tokens);
    const order = { workers: 8, pause_ms: 10, seats, zones, users: [...tokens.keys()] };
    const loads = callers.map(
      ({ wisher }, index) =>
        new Load(NODES[index] ?? '', { ...order, seed: seed + index }, wisher, systemClock),
    );
    const all = () => callers.flatMap(({ history }) => history());
    const until_ms = machine_ms() + SECONDS * 1_000;
    await eventually(() => machine_ms() > until_ms && all().filter(isDone).length > LEAST_DONE, {
      within_ms: SECONDS * 1_000 + PATIENCE_MS,
      every_ms: 200,
    });
    await Promise.all(loads.map((load) => load.rest()));
    for (const { wisher } of callers) wisher.impatient = false;
    const asked = await settle(callers, all());
    const operations = all();
    console.log(`${operations.length} operations in ${SECONDS} s, ${asked} asked again`);
    console.log(JSON.stringify(countsOf(operations), null, 2));
    const event = { scope: scopeOf(organizationId), eventId };
    const state = await readFinalState(stage.postgres, event);
    const wall_offset_ms = systemClock.now() - machine_ms();
    const judge = (history: readonly Operation[]) =>
      checkHistory({ operations: history, state, boards: [], wall_offset_ms });
    expect(judge(operations)).toEqual([]);
    // The judge is awake: a hold that somebody else was told of does not pass.
    const lies = operations.map((one) => (isHeld(one) ? { ...one, user: 'somebody else' } : one));
    expect(judge(lies).map(({ invariant }) => invariant)).toContain('I2');
    // No bug was answered, and nothing that the database had to stop.
    const codes = operations.map(({ code }) => code);
    expect(codes.filter((code) => code === 'internal' || code?.startsWith('network'))).toEqual([]);
    await expectNoGuards(callers);
    await expectOneView(callers, eventId);
  });

  async function expectNoGuards(callers: readonly Caller[]): Promise<void> {
    for (const { address } of callers) {
      const metrics = await (await fetch(`${address}/metrics`)).text();
      expect(metrics).toMatch(/^voelgoed_flush_guard_total 0$/m);
    }
  }

  /** When all is over, everybody shows the same. */
  async function expectOneView(callers: readonly Caller[], eventId: string): Promise<void> {
    await eventually(async () => {
      const views = await Promise.all(
        callers.map(({ address }) => call(address, `GET /api/events/${eventId}/availability`)),
      );
      const tags = new Set(views.map(({ headers }) => headers.get('etag')));
      const held = views.flatMap(({ data }) => data.zones as { held: number }[]);
      return tags.size === 1 && held.every((zone) => zone.held === 0);
    });
  }
});
