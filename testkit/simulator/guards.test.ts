import { describe, expect, it } from 'vitest';
import { GUARDS as LISTED } from '#controls';
import { GUARDS, type Guard } from '#stores';
import { runSchedule } from './run.ts';
import { CLOCK_STEPS, type FaultKind, type Mode, scheduleOf } from './schedule.ts';

/** What the write's statement and the constraints behind it look for. */
const IN_THE_STORE: readonly Guard[] = [
  'revision guard',
  'change row key',
  'version check',
  'seat_hold_id check',
  'hold status check',
  'unique index',
  'zone CHECK',
  'sales checks',
  'key row',
];

type Without = Readonly<{
  off: readonly Guard[];
  mode: Mode;
  /** Whatever goes wrong besides; none given: everything. */
  among?: readonly FaultKind[];
  standby?: boolean;
  /** The words in which it is seen. */
  sees: string;
  /** The first seed that is tried. */
  from?: number;
  /** Seen within so many seeds, or, where others do its work, not seen in so many. */
  within: number;
}>;

const LATE = 'writes late' as const;
const REDIS_LOST: readonly FaultKind[] = ['Redis is flushed'];

/** Without it something is broken, and it is seen. */
const SEEN: Readonly<Record<string, Without>> = {
  'event lock': { off: ['event lock'], mode: 'safety', sees: 'a guard spoke', within: 3 },
  'event lock and all guards of the store': {
    off: ['event lock', ...IN_THE_STORE],
    mode: 'safety',
    sees: 'two owners of seat',
    within: 5,
  },
  'event lock and commit tag check': {
    off: ['event lock', 'commit tag check'],
    mode: 'safety',
    sees: 'said to be done, but not',
    within: 10,
  },
  'unknown commits under the lock': {
    off: ['unknown commits under the lock'],
    mode: 'safety',
    among: [LATE],
    sees: 'done, but said to be not',
    within: 60,
  },
  'durable answers': {
    off: ['durable answers'],
    mode: 'safety',
    among: [],
    standby: true,
    sees: 'said to be done, but not',
    within: 20,
  },
  'durable answers, with payments': {
    off: ['durable answers'],
    mode: 'liveness',
    among: [],
    standby: true,
    sees: 'acknowledged and lost: message',
    // Few come as far as a payment that is lost: the first is the 47th seed.
    from: 40,
    within: 20,
  },
  'standby warning': {
    off: ['standby warning'],
    mode: 'safety',
    among: [],
    standby: true,
    sees: 'said to be done, but not',
    within: 20,
  },
  'idempotency in the commit': {
    off: ['idempotency in the commit'],
    mode: 'safety',
    sees: 'done twice',
    within: 10,
  },
  lineage: {
    off: ['lineage'],
    mode: 'safety',
    among: ['database fails over and loses commits'],
    sees: 'a guard spoke',
    within: 20,
  },
  'expiry before decide': {
    off: ['expiry before decide'],
    mode: 'safety',
    sees: 'after the hold was over',
    within: 20,
  },
  'shared drift': {
    off: ['shared drift'],
    mode: 'safety',
    among: [CLOCK_STEPS],
    sees: 'event time is',
    within: 20,
  },
  'paying not reapable': {
    off: ['paying not reapable'],
    mode: 'safety',
    sees: 'while it was paid for',
    within: 60,
  },
  'attempt check': {
    off: ['attempt check'],
    mode: 'liveness',
    sees: 'was never declined',
    within: 100,
  },
  'publish after commit and poll': {
    off: ['publish after commit', 'poll'],
    mode: 'liveness',
    sees: 'node',
    within: 10,
  },
  'compare-and-delete and watchman': {
    off: ['compare-and-delete', 'watchman'],
    mode: 'liveness',
    among: [],
    sees: 'Redis does not have the hold of seat',
    within: 40,
  },
  watchman: {
    off: ['watchman'],
    mode: 'liveness',
    among: ['node is killed', 'Redis is flushed'],
    sees: 'Redis',
    within: 40,
  },
  'gap detection and watchman': {
    off: ['gap detection', 'watchman'],
    mode: 'liveness',
    among: REDIS_LOST,
    sees: 'the bitmap in Redis shows other seats',
    within: 40,
  },
  'reader digest': {
    off: ['reader digest'],
    mode: 'safety',
    among: ['Redis has garbage'],
    sees: 'a reader would be shown other seats',
    within: 40,
  },
  'revision order and watchman': {
    off: ['revision order', 'watchman'],
    mode: 'liveness',
    among: [],
    sees: 'Redis',
    within: 40,
  },
  'reconcile before breaker close and watchman': {
    off: ['reconcile before breaker close', 'watchman'],
    mode: 'liveness',
    among: ['Redis is down'],
    sees: 'Redis',
    within: 20,
  },
};

/** Others do its work as well: alone it is not missed, and here is who. */
const COVERED: Readonly<Record<string, Without>> = {
  ...Object.fromEntries(
    IN_THE_STORE.map((guard) => [
      `${guard}, by the event lock`,
      { off: [guard], mode: 'safety', sees: '', within: 8 } as const,
    ]),
  ),
  'commit tag check, by the event lock': {
    off: ['commit tag check'],
    mode: 'safety',
    sees: '',
    within: 8,
  },
  'publish after commit, by the poll': {
    off: ['publish after commit'],
    mode: 'liveness',
    sees: '',
    within: 8,
  },
  'poll, by what is published': { off: ['poll'], mode: 'liveness', sees: '', within: 8 },
  'healing, by the watchman': { off: ['healing'], mode: 'liveness', sees: '', within: 8 },
  'compare-and-delete, by the watchman': {
    off: ['compare-and-delete'],
    mode: 'liveness',
    sees: '',
    within: 8,
  },
  'gap detection, by the watchman': {
    off: ['gap detection'],
    mode: 'liveness',
    among: REDIS_LOST,
    sees: '',
    within: 8,
  },
  'watchman, where nothing goes wrong': {
    off: ['watchman'],
    mode: 'liveness',
    among: [],
    sees: 'Redis',
    within: 20,
  },
  'watchman alone, for the bitmap': {
    off: ['watchman'],
    mode: 'liveness',
    among: REDIS_LOST,
    sees: 'the bitmap in Redis shows other seats',
    within: 8,
  },
};

/** The first seed in which it is seen; null: in none. */
async function firstSeen({ off, mode, sees, within, ...how }: Without): Promise<number | null> {
  const { among, standby = false, from = 0 } = how;
  for (let seed = from; seed < from + within; seed++) {
    const schedule = scheduleOf(seed, mode, among ? { among, standby } : { standby });
    const { problems } = await runSchedule(schedule, { off: new Set(off) });
    if (problems.some((problem) => problem.includes(sees))) return seed;
  }
  return null;
}

describe('a world without', () => {
  it.each(Object.keys(SEEN))('%s: it is seen', async (name) => {
    const seed = await firstSeen(SEEN[name] as Without);
    if (seed !== null) console.info(`without ${name}: seen after ${seed + 1} seeds`);
    expect(seed).not.toBeNull();
  });

  it.each(Object.keys(COVERED))('%s: nobody notices', async (name) => {
    expect(await firstSeen(COVERED[name] as Without)).toBeNull();
  });

  it.each(IN_THE_STORE.filter((guard) => guard !== 'zone CHECK'))(
    'event lock and all other guards of the store: %s speaks',
    async (guard) => {
      const others = IN_THE_STORE.filter((one) => one !== guard);
      const off = ['event lock', ...others] as const;
      const without = { off, mode: 'safety', sees: 'a guard spoke', within: 60 } as const;
      expect(await firstSeen(without)).not.toBeNull();
    },
  );
});

describe('the guards of simulated worlds', () => {
  it('have the names of the list of guards, but for parts that only they take apart', () => {
    const listed = new Set<string>(LISTED.map(({ name }) => name));
    // One of the two log keys, the checks of the sales statement, and a rule of the script.
    const parts = ['change row key', 'sales checks', 'revision order'];
    expect(GUARDS.filter((name) => !listed.has(name))).toEqual(parts);
  });

  it('are each gone without in a world above', () => {
    const tried = [...Object.values(SEEN), ...Object.values(COVERED)].flatMap(({ off }) => off);
    expect(GUARDS.filter((name) => !tried.includes(name))).toEqual([]);
  });
});
