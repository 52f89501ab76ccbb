import { sealed, withoutSeal } from '@voelgoed/engine/warm';
import { Dice, ROAD_TROUBLES, type RoadTrouble } from '#stores';
import { SEATS } from './hall.ts';
import { eventKeysOf } from './hall-keys.ts';
import { CLOCK_STEPS, type FaultKind, type PlannedFault } from './schedule.ts';
import { shownProblems } from './tier-verdict.ts';
import type { World } from './world.ts';

const HOUR_MS = 3_600_000;

type Strike = (world: World, fault: PlannedFault, dice: Dice) => void;

/** What each fault does to the world; it is over by itself. */
const STRIKES: Readonly<Partial<Record<FaultKind, Strike>>> = {
  'somebody else has the lock': ({ database }, { duration_ms }) => database.hog(duration_ms),
  'database restarts': ({ database, notices }) => {
    database.restart();
    notices.gap();
  },
  'database fails over and loses commits': ({ database, notices }, _, dice) => {
    database.failOver(1 + dice.upTo(4));
    notices.gap();
  },
  'standby is cut off': ({ database }, { duration_ms }) => database.cutStandby(duration_ms),
  'waiting commit is terminated': ({ database }) => database.stopWaiting('terminated'),
  'waiting commit is cancelled': ({ database }) => database.stopWaiting('cancelled'),
  'standby takes over': ({ database, notices }) => {
    database.failOverToStandby();
    notices.gap();
  },
  'database clock is set': ({ database }, _, dice) => {
    database.skew_ms = dice.upTo(2_000) - 1_000;
  },
  [CLOCK_STEPS]: ({ database }, _, dice) => {
    database.skew_ms = dice.pick([HOUR_MS, -HOUR_MS, 24 * HOUR_MS, -24 * HOUR_MS, 0]);
  },
  'Redis is down': ({ roads, simulation }, { duration_ms }) => {
    roads.goDown();
    simulation.after(duration_ms, () => roads.comeBack());
  },
  'Redis is flushed': ({ redis }) => {
    redis.execute('flushall', []);
  },
  'Redis is cut off': ({ nodes, simulation }, { node, duration_ms }) => {
    const road = nodes[node]?.road;
    if (!road) return;
    road.cut_ms = simulation.time_ms + duration_ms;
    simulation.after(duration_ms, () => road.isBack());
  },
  'Redis is slow': ({ nodes, simulation }, { duration_ms }) => {
    for (const { road } of nodes) road.slow_ms = simulation.time_ms + duration_ms;
  },
  'Redis is a stale replica': ({ redis, roads, simulation }, { duration_ms }) => {
    const back = redis.remember();
    simulation.after(duration_ms, () => {
      roads.goDown();
      back();
      roads.comeBack();
    });
  },
  'Redis is read-only': ({ redis, simulation }, { duration_ms }) => {
    redis.isReadOnly = true;
    simulation.after(duration_ms, () => {
      redis.isReadOnly = false;
    });
  },
  'Redis has garbage': (world, _, dice) => {
    spoil(world, dice);
    world.problems.push(...shownProblems(world));
  },
  'messages are lost': ({ nodes, notices, simulation }, { duration_ms }) => {
    const until_ms = simulation.time_ms + duration_ms;
    notices.silent_ms = until_ms;
    for (const { road } of nodes) road.silent_ms = until_ms;
  },
  'node is killed': (world, { node, duration_ms }) => {
    const { machine } = world.nodes[node] ?? {};
    if (!machine?.isAlive) return;
    machine.kill();
    world.simulation.after(duration_ms, () => world.boot(node));
  },
  'node is stopped': ({ nodes }, { node, duration_ms }) => nodes[node]?.machine.stop(duration_ms),
  'node is stopped between lock and write': ({ nodes }, { node, duration_ms }) => {
    const { machine } = nodes[node] ?? {};
    if (machine) machine.stopsDeciding_ms = duration_ms;
  },
};

export function strike(world: World, fault: PlannedFault): void {
  const { kind, node, duration_ms, index } = fault;
  world.trace.say('fault', () => `${kind} (node ${node}, ${duration_ms} ms)`);
  if (isTrouble(kind)) return world.nodes[node]?.store.suffer(kind, duration_ms);
  STRIKES[kind]?.(world, fault, new Dice(world.schedule.seed, `fault ${index}`));
}

function isTrouble(kind: FaultKind): kind is RoadTrouble {
  return (ROAD_TROUBLES as readonly string[]).includes(kind);
}

/** Somebody else's hand in our keys. */
function spoil({ redis, off }: World, dice: Dice): void {
  const { seatHold, bitmap, revision, seatHolds } = eventKeysOf();
  const until_ms = Number.POSITIVE_INFINITY;
  const garbage = [
    { kind: 'string', value: 'garbage', until_ms },
    { kind: 'zset', value: new Map([['x', 1]]), until_ms },
    { kind: 'hash', value: { x: 'y' }, until_ms },
  ] as const;
  const name = dice.pick([
    seatHold(dice.upTo(SEATS - 1)),
    seatHold(0),
    bitmap,
    revision,
    seatHolds,
  ]);
  if (name !== bitmap) return redis.put(name, dice.pick(garbage));
  if (dice.chance(0.3)) return redis.put(name, garbage[1]);
  changeBits(redis, dice, !off.has('reader digest'));
}

/** A bitmap of the right type with another seat in it: only its digest tells. */
function changeBits(redis: World['redis'], dice: Dice, hasDigest: boolean): void {
  const { bitmap, revision } = eventKeysOf();
  const entry = redis.find(bitmap);
  if (entry?.kind !== 'string') return;
  const bytes = Uint8Array.from(redis.getBytes(bitmap) ?? []);
  const seat = dice.upTo(SEATS - 1);
  const byte = bytes[seat >> 2] ?? 0;
  bytes[seat >> 2] = byte ^ ((1 + dice.upTo(2)) << ((seat & 3) * 2));
  redis.put(bitmap, { ...entry, value: bytes });
  const record = redis.find(revision);
  if (hasDigest || record?.kind !== 'string') return;
  const text = sealed(revision, withoutSeal(String(record.value)), bytes);
  redis.put(revision, { ...record, value: text });
}
