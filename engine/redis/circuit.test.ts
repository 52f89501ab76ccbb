import { eventually } from '@voelgoed/testkit/eventually';
import { expect, it } from 'vitest';
import { manualClock, nextTurn } from '#kit';
import { recordingTelemetry } from '#telemetry';
import { Circuit } from './circuit.ts';

it('says how often Redis has failed and how, and each time that it is not back', async () => {
  const clock = manualClock();
  const telemetry = recordingTelemetry();
  let [isUp, isUseful] = [false, false];
  const probe = async () => isUp;
  const circuit = new Circuit({ clock, telemetry, probe_ms: 1_000, probe });
  circuit.onBack = async () => {
    if (!isUseful) throw new Error('the script is gone');
  };
  const fail = () => circuit.run(() => Promise.reject(new Error('too slow'))).catch(() => {});
  for (let times = 0; times < 4; times++) await fail();
  await circuit.run(async () => 'well');
  for (let times = 0; times < 5; times++) await fail();
  const { happenings } = telemetry;
  /** A second later, when so many more things have happened. */
  const pass = async (more: number) => {
    const before = happenings.length;
    // The probe has gone to sleep by then.
    await nextTurn();
    clock.advance(1_000);
    await eventually(() => happenings.length === before + more);
  };
  expect(happenings).toEqual([
    {
      kind: 'redis.breaker',
      state: 'open',
      reason: 'too slow',
      failures: 5,
      last_failure: 'too slow',
    },
  ]);

  await pass(1);
  expect(happenings.at(-1)).toEqual({
    kind: 'redis.probe_failed',
    reason: 'it does not answer',
    failures: 6,
  });

  isUp = true;
  await pass(2);
  expect(happenings.slice(-2)).toMatchObject([
    { state: 'half_open', failures: 6, last_failure: 'it does not answer' },
    { state: 'open', failures: 7, last_failure: 'the script is gone' },
  ]);

  isUseful = true;
  await pass(2);
  expect(happenings.slice(-2)).toMatchObject([
    { state: 'half_open', failures: 7 },
    { state: 'closed', failures: 7, last_failure: 'the script is gone' },
  ]);
  // From here on it counts anew.
  for (let times = 0; times < 5; times++) await fail();
  expect(happenings.at(-1)).toMatchObject({ state: 'open', failures: 5 });
  await pass(2);
  await circuit.stop();
});
