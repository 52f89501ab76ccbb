import { changeSeatingPolicy } from '@voelgoed/engine/workflows';
import { aCaller, done } from '@voelgoed/testkit/builders';
import { Child } from '#children';
import { NODE_PROGRAM, OPEN_POLICY } from '#holds';
import { LoadProcess } from '#load';
import { type Figure, figureOf } from '#measure';
import { buyersOf, newEvent, processSeconds, type Stadium, seatIdsOf, stadium } from '#stage';
import type { Bench } from '#writer';

const SUITE = 'telemetry';
const SEATS = 40_000;
const CONNECTIONS = 64;
/** The first turns only warm everybody up. */
const WARM_UP = 2;
/** What the design allows: three parts in a hundred. */
const ALLOWED = { below: 1.03 };

type Node = Readonly<{ child: Child; address: string }>;

/** Microseconds of a node per hold, with counting and without, everybody in turn. */
export async function telemetrySuite(bench: Bench, quick: boolean): Promise<Figure[]> {
  const built = await stadium(bench.engine, SEATS);
  const caller = aCaller({ scope: built.scope });
  done(await changeSeatingPolicy(bench.engine, caller, OPEN_POLICY, 'platform'));
  const users = await buyersOf(bench.engine, built, bench.users);
  const load = new LoadProcess();
  const nodes: Record<'on' | 'off', Node> = {
    on: await start(bench, true),
    off: await start(bench, false),
  };
  try {
    const { organizationId } = built.scope;
    const secret = bench.stage.services.authSecret;
    await load.crowd({ secret, organizationId, users });
    const turn = (node: Node) => measure(bench, built, node, load, quick ? 1_000 : 3_000);
    const on: number[] = [];
    const off: number[] = [];
    for (let round = -WARM_UP; round < (quick ? 4 : 12); round++) {
      // Everybody is first equally often.
      const order = round % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const);
      const seen = { on: 0, off: 0 };
      for (const name of order) seen[name] = await turn(nodes[name]);
      if (round < 0) continue;
      on.push(seen.on);
      off.push(seen.off);
    }
    return figuresOf(on, off);
  } finally {
    await Promise.all([...Object.values(nodes).map(({ child }) => child.stop()), load.stop()]);
  }
}

function figuresOf(on: readonly number[], off: readonly number[]): Figure[] {
  const ratios = on.map((value, index) => value / (off[index] ?? Number.NaN));
  const time = { suite: SUITE, unit: 'µs' };
  return [
    figureOf(on, { ...time, name: 'node per hold, everything counted' }),
    figureOf(off, { ...time, name: 'node per hold, nothing counted' }),
    figureOf(ratios, { suite: SUITE, unit: '×', name: 'counted to uncounted', target: ALLOWED }),
  ];
}

async function start({ stage }: Bench, counted: boolean): Promise<Node> {
  const { ownerUrl, authSecret } = stage.services;
  const child = new Child(NODE_PROGRAM);
  const services = { ownerUrl, authSecret, redisUrl: null, counted };
  return { child, address: await child.ask<string>(services) };
}

async function measure(
  { engine, stage }: Bench,
  built: Stadium,
  { child, address }: Node,
  load: LoadProcess,
  lasts_ms: number,
): Promise<number> {
  const event = await newEvent(engine, built);
  const board = await engine.registry.board(event);
  if (!board) throw new Error('the event is on sale');
  const { eventId } = event;
  await fetch(`${address}/api/events/${eventId}/availability`);
  await stage.asSuperuser('checkpoint');
  const before = await processSeconds(child.pid);
  const aim = { address, eventId, seatIds: seatIdsOf(board), keys: false };
  const { statuses } = await load.distinct(aim, CONNECTIONS, lasts_ms);
  const seconds = (await processSeconds(child.pid)) - before;
  return (seconds * 1e6) / (statuses[201] ?? Number.NaN);
}
