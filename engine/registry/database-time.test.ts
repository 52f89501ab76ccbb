import { describe, expect, it } from 'vitest';
import { manualClock, seededRandom } from '#kit';
import { recordingTelemetry } from '#telemetry';
import { NO_DRIFT } from './clock-rules.ts';
import { DatabaseTime, type NewDrift } from './database-time.ts';

const START_MS = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;

/** A database with a clock that can be set, and nodes on machines that can be suspended. */
function aDatabase() {
  const clock = manualClock(START_MS);
  const database = { ahead_ms: 60_000, slept_ms: 0, state: NO_DRIFT };
  const wall_ms = () => clock.now() + database.ahead_ms;
  const store = {
    clock: async () => ({ wall_ms: wall_ms(), state: database.state }),
    setDrift: async ({ epoch, drift_ms, isJump, from_ms, until_ms }: NewDrift) => {
      const changed_ms = wall_ms();
      if (database.state.epoch !== epoch || changed_ms < from_ms || changed_ms > until_ms) {
        return false;
      }
      const jumps = database.state.jumps + (isJump ? 1 : 0);
      database.state = { ...database.state, epoch: epoch + 1, drift_ms, jumps, changed_ms };
      return true;
    },
  };
  const aNode = () => {
    const telemetry = recordingTelemetry();
    const boot = () => clock.monotonic() + database.slept_ms;
    const time = new DatabaseTime({ clock: { ...clock, boot }, telemetry, store });
    return { time, telemetry };
  };
  const { time, telemetry } = aNode();
  const read = (there_ms: number, back_ms: number) => {
    const asked_ms = clock.monotonic();
    clock.advance(there_ms);
    const answer = { wall_ms: wall_ms(), state: database.state };
    clock.advance(back_ms);
    return time.read(answer, asked_ms);
  };
  /** What event time would be if no clock had ever been set. */
  const event_ms = () => clock.now() + 60_000;
  return { clock, time, telemetry, database, wall_ms, event_ms, read, aNode };
}

describe('the time of the database', () => {
  it('is not known before it was read', () => {
    const { time } = aDatabase();
    expect([time.isKnown, time.least(), time.most()]).toEqual([false, null, null]);
  });

  it('is never before the least and never after the most, however late answers come', () => {
    const random = seededRandom(1);
    const { time, wall_ms, read, clock } = aDatabase();
    for (let round = 0; round < 500; round++) {
      read(random.next() * 2_000, random.next() ** 4 * 5_000);
      clock.advance(random.next() * 100);
      expect(time.least()).toBeLessThanOrEqual(wall_ms());
      expect(time.most()).toBeGreaterThanOrEqual(wall_ms());
    }
    // Among many answers some are fast.
    expect(wall_ms() - (time.least() ?? 0)).toBeLessThan(5);
    expect((time.most() ?? 0) - wall_ms()).toBeLessThan(50);
  });

  it.each([1_200, -1_200])('follows a clock that is set by %i ms', (by) => {
    const { time, database, wall_ms, read } = aDatabase();
    for (let round = 0; round < 10; round++) read(1, 1);
    database.ahead_ms += by;
    expect(read(3, 4)).toBe(true);
    expect(wall_ms() - (time.least() ?? 0)).toBe(4);
    expect((time.most() ?? 0) - wall_ms()).toBe(3);
  });
});

describe('a clock that is set by hours', () => {
  it.each([HOUR_MS, -HOUR_MS, 24 * HOUR_MS, -24 * HOUR_MS, 5_100, -5_100])(
    'moves no event time (%i ms)',
    async (by) => {
      const { time, telemetry, database, event_ms, wall_ms, read, clock } = aDatabase();
      expect(read(1, 1)).toBe(true);
      clock.advance(900);
      database.ahead_ms += by;
      expect(read(20, 30)).toBe(false);
      // Nothing is decided by it, and what is known goes on meanwhile.
      expect(Math.abs((time.least() ?? 0) - event_ms())).toBeLessThanOrEqual(1);
      await time.settle();
      expect(telemetry.happenings.map(({ kind }) => kind)).toEqual(['clock.stepped']);
      expect(read(2, 3)).toBe(true);
      const least_ms = time.least() ?? 0;
      // No hold ends early, and none lives longer than the questions took.
      expect(least_ms).toBeLessThanOrEqual(event_ms());
      expect(least_ms).toBeGreaterThanOrEqual(event_ms() - 60);
      expect(wall_ms() - (time.wall() ?? 0)).toBeLessThanOrEqual(3);
    },
  );

  it('is taken up once, by whichever node is first', async () => {
    const { time, database, read, clock, aNode, event_ms, telemetry } = aDatabase();
    const other = aNode();
    await other.time.ask();
    read(1, 1);
    clock.advance(500);
    database.ahead_ms += HOUR_MS;
    expect(read(1, 1)).toBe(false);
    await Promise.all([other.time.ask(), time.settle()]);
    expect(database.state.epoch).toBe(1);
    for (const one of [time, other.time]) {
      expect(Math.abs((one.least() ?? 0) - event_ms())).toBeLessThan(10);
    }
    const steps = [...telemetry.happenings, ...other.telemetry.happenings];
    expect(steps).toHaveLength(1);
  });

  it('is found again after another node has taken up the step before', async () => {
    const { time, database, read, clock, aNode, event_ms } = aDatabase();
    const other = aNode();
    await other.time.ask();
    read(1, 1);
    database.ahead_ms += HOUR_MS;
    await other.time.ask();
    expect(database.state.epoch).toBe(1);
    clock.advance(300);
    database.ahead_ms += 24 * HOUR_MS;
    expect(read(1, 1)).toBe(false);
    await time.settle();
    expect(database.state.epoch).toBe(2);
    expect(Math.abs((time.least() ?? 0) - event_ms())).toBeLessThan(10);
  });

  it('is believed to a node that has seen it, by one that has not', async () => {
    const { time, database, wall_ms, read, clock, aNode } = aDatabase();
    const paused = aNode();
    await paused.time.ask();
    read(1, 1);
    // The other node’s machine stood still for a minute, and no clock of it has counted that.
    database.state = { ...database.state, epoch: 1, drift_ms: 60_000, changed_ms: wall_ms() };
    for (let round = 0; round < 5; round++) {
      clock.advance(500);
      expect(read(1, 1)).toBe(true);
    }
    expect([time.isStepped, database.state.epoch]).toEqual([false, 1]);
  });

  it('is no step when an operator has removed the drift', () => {
    const { database, read, clock } = aDatabase();
    database.state = { ...NO_DRIFT, drift_ms: HOUR_MS };
    read(1, 1);
    clock.advance(300);
    database.state = { ...NO_DRIFT, epoch: 1, jumps: 1 };
    expect(read(1, 1)).toBe(true);
  });

  it('is no step when the machine has slept', () => {
    const { time, database, read, clock } = aDatabase();
    read(1, 1);
    clock.advance(500);
    // The database and its machine went on, this machine's monotonic clock did not.
    database.ahead_ms += HOUR_MS;
    database.slept_ms += HOUR_MS;
    expect(read(1, 1)).toBe(true);
    expect(time.isStepped).toBe(false);
  });

  it('is as large as it is, also when the machine has slept at the same time', async () => {
    const { time, database, event_ms, clock } = aDatabase();
    await time.ask();
    clock.advance(500);
    // Slept for 30 s: the world went on, and the clock was set an hour forward.
    database.slept_ms += 30_000;
    database.ahead_ms += 30_000 + HOUR_MS;
    for (let round = 0; round < 3; round++) {
      await time.ask();
      clock.advance(1_000);
    }
    expect([database.state.epoch, database.state.drift_ms]).toEqual([1, HOUR_MS]);
    expect((time.least() ?? 0) - event_ms()).toBe(30_000);
  });

  it('cannot be told between readings that are far apart', () => {
    const { database, read, clock } = aDatabase();
    read(1, 1);
    clock.advance(61_000);
    database.ahead_ms += HOUR_MS;
    expect(read(1, 1)).toBe(true);
  });

  it('is found by a row that is ahead of it, also after a start', async () => {
    const { time, database, wall_ms, read, clock } = aDatabase();
    const row_ms = wall_ms();
    database.ahead_ms -= HOUR_MS;
    clock.advance(100);
    expect(read(1, 1)).toBe(true);
    const now = { wall_ms: wall_ms(), state: database.state };
    expect(time.readRow(now, row_ms)).toBe(false);
    await time.settle();
    expect(time.readRow({ ...now, state: database.state }, row_ms)).toBe(true);
    expect((time.least() ?? 0) - row_ms).toBeLessThan(10);
  });

  it('is believed when another history is at an older epoch', () => {
    const { database, read, clock } = aDatabase();
    database.state = { ...NO_DRIFT, epoch: 7, drift_ms: 1_000 };
    read(1, 1);
    clock.advance(10);
    database.state = { ...NO_DRIFT, epoch: 6 };
    expect(read(1, 1)).toBe(true);
  });
});

/** Time passes, then the node asks. */
type Asking = Readonly<{ time: DatabaseTime }>;

describe('a clock that is set and comes back', () => {
  function twoNodes() {
    const world = aDatabase();
    const [one, other] = [world.aNode(), world.aNode()];
    const asks = async (...nodes: readonly Asking[]) => {
      for (const { time } of nodes) {
        world.clock.advance(400);
        await time.ask();
      }
    };
    const expectRight = () => {
      for (const { time } of [one, other]) {
        expect(Math.abs((time.least() ?? 0) - world.event_ms())).toBeLessThan(10);
      }
    };
    return { ...world, one, other, asks, expectRight };
  }

  it.each([HOUR_MS, -HOUR_MS, 24 * HOUR_MS, -24 * HOUR_MS])(
    'between two readings of a node moves no event time (%i ms)',
    async (by) => {
      const { database, one, other, asks, expectRight } = twoNodes();
      await asks(one, other);
      database.ahead_ms += by;
      await asks(one);
      expect(database.state.drift_ms).toBe(by);
      // Back before the other node has asked: its own clock and the database's agree.
      database.ahead_ms -= by;
      await asks(other);
      expect([database.state.epoch, database.state.drift_ms]).toEqual([2, 0]);
      for (let round = 0; round < 3; round++) await asks(one, other);
      expect(database.state.epoch).toBe(2);
      expectRight();
    },
  );

  it.each([HOUR_MS, -HOUR_MS])(
    'before the drift is set leaves the drift as it was (%i ms)',
    async (by) => {
      const { database, one, other, asks, expectRight, read, time, clock } = twoNodes();
      await asks(one, other);
      read(1, 1);
      database.ahead_ms += by;
      clock.advance(500);
      expect(read(1, 1)).toBe(false);
      database.ahead_ms -= by;
      await time.settle();
      await asks(one, other);
      expect([database.state.epoch, database.state.drift_ms]).toEqual([0, 0]);
      expectRight();
    },
  );

  it.each([HOUR_MS, -HOUR_MS])(
    'is judged by the nodes that saw it, not by one that starts just then (%i ms)',
    async (by) => {
      const { database, one, other, asks, expectRight, aNode } = twoNodes();
      await asks(one, other);
      database.ahead_ms += by;
      await asks(one);
      database.ahead_ms -= by;
      const started = aNode();
      await asks(started);
      for (let round = 0; round < 3; round++) await asks(one, other, started);
      expect([database.state.epoch, database.state.drift_ms]).toEqual([2, 0]);
      expectRight();
    },
  );

  it('is no dispute with a node whose questions were slow', async () => {
    const { database, one, other, asks, expectRight, clock, wall_ms } = twoNodes();
    await asks(one, other);
    const asked_ms = clock.monotonic();
    clock.advance(4_000);
    await other.time.ask();
    database.ahead_ms += HOUR_MS;
    const answer = { wall_ms: wall_ms(), state: database.state };
    // Of all drifts that this answer allows it takes the one with the earliest event time.
    expect(one.time.read(answer, asked_ms)).toBe(false);
    await one.time.settle();
    expect(database.state.drift_ms - HOUR_MS).toBeGreaterThan(3_000);
    database.ahead_ms -= HOUR_MS;
    for (let round = 0; round < 3; round++) await asks(other, one);
    expectRight();
  });

  it('is taken up where another machine was paused unseen before', async () => {
    const { database, one, other, asks, wall_ms, event_ms } = twoNodes();
    await asks(one, other);
    database.state = { ...database.state, epoch: 1, drift_ms: 60_000, changed_ms: wall_ms() };
    database.ahead_ms += HOUR_MS;
    for (let round = 0; round < 3; round++) await asks(one, other);
    const behind_ms = event_ms() - (one.time.least() ?? 0);
    expect(behind_ms).toBeGreaterThanOrEqual(0);
    expect(behind_ms).toBeLessThanOrEqual(60_010);
  });

  it('is taken up also when the failover that set it has lost the drift', async () => {
    const { database, one, other, asks, expectRight } = twoNodes();
    const lost = database.state;
    await asks(one, other);
    database.ahead_ms -= HOUR_MS;
    await asks(one, other);
    database.state = lost;
    await asks(one, other);
    expect(database.state.drift_ms).toBe(-HOUR_MS);
    expectRight();
  });
});
