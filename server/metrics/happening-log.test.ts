import { systemClock } from '@voelgoed/engine/kit';
import { WriteProbe } from '@voelgoed/engine/postgres';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import { useDatabase } from '@voelgoed/testkit/database';
import { aClock } from '@voelgoed/testkit/sales';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { alsoLogged } from './metrics.ts';

const database = useDatabase();

it('a node that starts and can write warns of nothing, and warns when that changes', async () => {
  const lines: { level: number; kind: string; state: string }[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const telemetry = alsoLogged(silentTelemetry, logger);
  const clock = aClock();
  const { postgres } = database;
  const transaction: typeof postgres.transaction = (...asked) => {
    return isAway ? Promise.reject(new Error('gone')) : postgres.transaction(...asked);
  };
  let isAway = false;
  const probe = new WriteProbe({ clock, telemetry, postgres: { lastRefusal: null, transaction } });
  for (isAway of [false, true, false]) {
    clock.ahead_ms += 1_250;
    await probe.look();
  }
  expect(lines.map(({ level, kind }) => [level, kind])).toEqual([
    [30, 'postgres.writable'],
    [40, 'postgres.writable'],
    [40, 'postgres.writable'],
  ]);
  expect(lines.map(({ state }) => state === 'ok')).toEqual([true, false, true]);
});

it('a Redis that is lost is an error, and that it is back is none', () => {
  const levels: number[] = [];
  const write = (line: string) => void levels.push(JSON.parse(line).level);
  const { emit } = alsoLogged(silentTelemetry, pino({ level: 'info' }, { write }));
  const about = { reason: 'x', failures: 5, last_failure: 'too slow' };
  for (const state of ['open', 'half_open', 'closed'] as const) {
    emit({ kind: 'redis.breaker', state, ...about });
  }
  emit({ kind: 'redis.probe_failed', reason: 'too slow', failures: 6 });
  expect(levels).toEqual([50, 30, 30, 40]);
});

it('a node that starts and cannot write warns at once', async () => {
  const levels: number[] = [];
  const write = (line: string) => void levels.push(JSON.parse(line).level);
  const telemetry = alsoLogged(silentTelemetry, pino({ level: 'info' }, { write }));
  const transaction = async () => Promise.reject(new Error('gone'));
  const postgres = { lastRefusal: null, transaction };
  await new WriteProbe({ clock: systemClock, telemetry, postgres }).look();
  expect(levels).toEqual([40]);
});
