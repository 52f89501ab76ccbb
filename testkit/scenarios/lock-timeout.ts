import { withClient } from '@voelgoed/engine/postgres';
import { machine_ms } from '@voelgoed/faults/hammer';
import { judged, pause, rateDuring, type Scenario, type Setting, withSet } from './set.ts';

const BEFORE_S = 2;
const AFTER_S = 2;

/** Somebody keeps the lock of the event, as a stuck transaction or a deadlock storm does. */
export const lockTimeout: Scenario = (setting) =>
  withSet(setting, async ({ run, stage }) => {
    const { say, seconds } = setting;
    await run.startAll('one', 'two', 'three');
    await run.load();
    say(`before: ${await rateDuring(run, BEFORE_S, () => pause(BEFORE_S))}`);
    const since_ms = machine_ms();
    await whileLocked(setting, stage.eventId, async () => {
      say(`the event is locked: ${await rateDuring(run, seconds, () => pause(seconds))}`);
    });
    const asked = run.operations().filter(({ invoked_ms }) => invoked_ms > since_ms);
    const failed = asked.filter(({ outcome }) => outcome === 'failed').length;
    const longest = Math.max(0, ...asked.map((one) => (one.returned_ms ?? 0) - one.invoked_ms));
    say(`${failed} were told to come back; the longest waited ${(longest / 1_000).toFixed(1)} s`);
    const after = run.acknowledged().length;
    say(`free again: ${await rateDuring(run, AFTER_S, () => pause(AFTER_S))}`);
    const goesOn = run.acknowledged().length > after;
    const problems = await judged(run, say);
    return goesOn ? problems : [...problems, 'nothing is sold after the lock is free'];
  });

async function whileLocked(
  { services }: Setting,
  eventId: string,
  work: () => Promise<void>,
): Promise<void> {
  const url = new URL(services.superuserUrl);
  url.pathname = new URL(services.ownerUrl).pathname;
  await withClient(url.href, async (client) => {
    await client.query('begin');
    await client.query('select from event_boards where event_id = $1 for update', [eventId]);
    await work();
    await client.query('rollback');
  });
}
