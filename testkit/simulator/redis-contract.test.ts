import { systemClock } from '@voelgoed/engine/kit';
import { eventKeys, RedisConnection, readScript } from '@voelgoed/engine/redis';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useRedis } from '#redises';
import { printedRandom } from '#seeds';
import { Dice, MemoryRedis } from '#stores';

type Word = string | number | Buffer;
type Step =
  | Readonly<{ kind: 'call'; name: string; words: readonly Word[] }>
  | Readonly<{ kind: 'bytes'; name: string; words: readonly Word[] }>
  | Readonly<{ kind: 'run'; script: string; keys: readonly string[]; words: readonly Word[] }>
  /** Somebody else's hand. */
  | Readonly<{ kind: 'spoil'; key: string; as: 'hash' | 'zset' | 'text' }>;

const ROUNDS = 60;
const STEPS = 60;
const SEATS = ['a', 'b', 'c', 'd'];
const USERS = ['one', 'two'];
const KEYS = eventKeys('an-organization', 'an-event');
const WARM = import.meta.resolve('@voelgoed/engine/warm');
const SCRIPTS = Object.fromEntries(
  ['claim', 'remove', 'write', 'metas'].map((name) => {
    return [name, readScript(new URL(`./${name}.lua`, WARM))];
  }),
);

const redis = useRedis();
let connection: RedisConnection | null = null;
beforeAll(async () => {
  const tools = { clock: systemClock, telemetry: silentTelemetry, command_ms: 10_000 };
  connection = new RedisConnection({ url: redis().url, ...tools });
  await connection.connect();
});
afterAll(() => connection?.close());

function server(): RedisConnection {
  if (!connection) throw new Error('the server is there inside tests only');
  return connection;
}

/** What everybody may know of an event. */
const BYTES: Step = {
  kind: 'bytes',
  name: 'mget',
  words: [KEYS.revision, KEYS.bitmap, KEYS.occupancy],
};

/** What is random is random for both. */
function stepsOf(dice: Dice): Step[] {
  const values: string[] = [];
  return Array.from({ length: STEPS }, () => stepOf(dice, values));
}

function stepOf(dice: Dice, values: string[]): Step {
  const luck = dice.upTo(99);
  if (luck < 30) return claimOf(dice, values);
  if (luck < 42) return removeOf(dice, values);
  if (luck < 72) return writeOf(dice, values);
  if (luck < 76)
    return { kind: 'run', script: 'metas', keys: holdsOf().map(KEYS.holdMeta), words: [] };
  if (luck < 82) return BYTES;
  if (luck < 90) {
    const { seatHolds } = KEYS;
    const key = dice.pick([KEYS.seatHold(dice.pick(SEATS)), KEYS.bitmap, KEYS.revision, seatHolds]);
    return { kind: 'spoil', key, as: dice.pick(['hash', 'zset', 'text'] as const) };
  }
  return callOf(dice);
}

function callOf(dice: Dice): Step {
  const { revision, seatHolds, seatHold } = KEYS;
  const until = nowOf() + dice.upTo(200);
  const calls: readonly (readonly [string, readonly Word[]])[] = [
    ['get', [revision]],
    ['mget', SEATS.map(seatHold)],
    ['zrange', [seatHolds, 0, 99, 'withscores']],
    ['zrangebyscore', [seatHolds, '-inf', until, 'limit', 0, 3]],
    ['zcard', [seatHolds]],
    ['zmscore', [seatHolds, ...holdsOf()]],
    ['set', [KEYS.occupancy, 'a text', 'ex', 10]],
  ];
  const [name, words] = dice.pick(calls);
  return { kind: 'call', name, words };
}

function nowOf(): number {
  return 2_000_000_000;
}

function holdsOf(): string[] {
  return ['h0', 'h1', 'h2', 'h3', 'h4'];
}

function seatValue(dice: Dice, state: string, values: string[]): string {
  const user_id = dice.pick(USERS);
  const held_until = nowOf() + dice.upTo(100) - 30;
  const value = JSON.stringify({ state, hold_id: dice.upTo(1_000), user_id, held_until });
  values.push(value);
  return value;
}

function someSeats(dice: Dice): string[] {
  return [...new Set(Array.from({ length: 1 + dice.upTo(2) }, () => dice.pick(SEATS)))];
}

function claimOf(dice: Dice, values: string[]): Step {
  const wishes = Array.from({ length: 1 + dice.upTo(2) }, () => someSeats(dice));
  const words = wishes.flatMap((seats) => {
    return [seats.length, dice.pick(USERS), seatValue(dice, 'claimed', values)];
  });
  const keys = wishes.flat().map(KEYS.seatHold);
  return { kind: 'run', script: 'claim', keys, words: [nowOf(), 5_000_000, ...words] };
}

function removeOf(dice: Dice, values: string[]): Step {
  const seats = someSeats(dice);
  const words = seats.map(() => dice.pick([...values, 'nothing']));
  return { kind: 'run', script: 'remove', keys: seats.map(KEYS.seatHold), words };
}

function writeOf(dice: Dice, values: string[]): Step {
  const { revision, bitmap, occupancy, seatHolds } = KEYS;
  const now = dice.upTo(20);
  const whole = dice.chance(0.3) ? Buffer.from([dice.upTo(255)]) : '';
  const bits = whole ? [] : Array.from({ length: dice.upTo(3) }, () => dice.upTo(3));
  const seats = dice.chance(0.7) ? someSeats(dice) : [];
  const holds = holdsOf().filter(() => dice.chance(0.4));
  const far_ms = nowOf() * 1_000;
  const words: Word[] = [
    ...[now, Math.max(0, now - dice.upTo(4)), whole, `${now} abc${dice.upTo(9)} 17 {}`],
    ...[KEYS.changes, dice.chance(0.5) ? 'news' : '', dice.chance(0.1) ? 'force' : ''],
    ...[bits.length, seats.length, holds.length],
    ...bits.flatMap((ordinal) => [6 - ordinal * 2, dice.upTo(3)]),
    ...seats.flatMap(() => [
      dice.chance(0.6) ? seatValue(dice, 'held', values) : '',
      far_ms,
      dice.pick(['*', '*', '', dice.pick([...values, 'x'])]),
    ]),
    ...holds.flatMap((id) => {
      const ends = dice.chance(0.6) ? nowOf() + dice.upTo(100) / 4 : '';
      return [id, ends, far_ms, 'seat', 'zone', dice.upTo(9), 1, 'user', 17, 'web'];
    }),
  ];
  const keys = [revision, bitmap, occupancy, seatHolds];
  const names = [...seats.map(KEYS.seatHold), ...holds.map(KEYS.holdMeta)];
  return { kind: 'run', script: 'write', keys: [...keys, ...names], words };
}

async function onServer(step: Step): Promise<unknown> {
  if (step.kind === 'call') return server().call(step.name, ...step.words);
  if (step.kind === 'bytes') return server().callForBytes(step.name, ...step.words);
  if (step.kind === 'run') {
    const script = SCRIPTS[step.script];
    if (!script) throw new Error(step.script);
    return server().run(script, step.keys, step.words);
  }
  await server().call('del', step.key);
  if (step.as === 'hash') await server().call('hset', step.key, 'x', 'y');
  if (step.as === 'zset') await server().call('zadd', step.key, 1, 'x');
  if (step.as === 'text') await server().call('set', step.key, 'garbage');
  return null;
}

async function inMemory(memory: MemoryRedis, step: Step): Promise<unknown> {
  if (step.kind === 'call') return memory.execute(step.name, step.words);
  if (step.kind === 'bytes') return memory.executeForBytes(step.name, step.words);
  if (step.kind === 'run') return memory.run(step.script, step.keys, step.words);
  const until_ms = Number.POSITIVE_INFINITY;
  if (step.as === 'hash') memory.put(step.key, { kind: 'hash', value: { x: 'y' }, until_ms });
  if (step.as === 'zset') {
    memory.put(step.key, { kind: 'zset', value: new Map([['x', 1]]), until_ms });
  }
  if (step.as === 'text') memory.put(step.key, { kind: 'string', value: 'garbage', until_ms });
  return null;
}

/** An answer, or the first word of what was answered instead; fields and bytes in one form. */
async function said(work: Promise<unknown>): Promise<unknown> {
  return work.then(plain, (error: Error) => error.message.split(' ')[0]);
}

function plain(answer: unknown): unknown {
  if (Buffer.isBuffer(answer)) return answer.toString('latin1');
  if (Array.isArray(answer)) return answer.map(plain);
  // Doubles are told with more digits than they need.
  return typeof answer === 'string' && /^\d+\.\d+$/.test(answer)
    ? Number(answer).toString()
    : answer;
}

/** Everything there is, by name. */
const DUMP: readonly Step[] = [
  { kind: 'run', script: 'metas', keys: holdsOf().map(KEYS.holdMeta), words: [] },
  {
    kind: 'call',
    name: 'mget',
    words: [KEYS.revision, KEYS.occupancy, ...SEATS.map(KEYS.seatHold)],
  },
  { kind: 'call', name: 'zrange', words: [KEYS.seatHolds, 0, 99, 'withscores'] },
  BYTES,
];

describe('Redis in memory', () => {
  it('answers every command and script as a server does, and then has the same in it', async () => {
    const { seed } = printedRandom('redis-contract');
    for (let round = 0; round < ROUNDS; round++) {
      await redis().command('flushall');
      const memory = new MemoryRedis(
        () => systemClock.now(),
        () => {},
      );
      for (const [place, step] of [
        ...stepsOf(new Dice(seed, `round ${round}`)),
        ...DUMP,
      ].entries()) {
        const about = `round ${round}, step ${place}: ${JSON.stringify(step)}`;
        const [here, there] = [await said(inMemory(memory, step)), await said(onServer(step))];
        expect(here, about).toEqual(there);
      }
    }
  });

  it('forgets what is over, as a server does', async () => {
    const memory = new MemoryRedis(
      () => systemClock.now(),
      () => {},
    );
    const seat = KEYS.seatHold('a');
    const write: Step = {
      kind: 'run',
      script: 'write',
      keys: [KEYS.revision, KEYS.bitmap, KEYS.occupancy, KEYS.seatHolds, seat],
      words: [1, 1, Buffer.from([0]), '1 abc 1 {}', KEYS.changes, '', '', 0, 1, 0, 'v', 1, '*'],
    };
    await redis().command('flushall');
    expect(await said(inMemory(memory, write))).toEqual(await said(onServer(write)));
    const get: Step = { kind: 'call', name: 'get', words: [seat] };
    expect([await inMemory(memory, get), await onServer(get)]).toEqual([null, null]);
  });
});
