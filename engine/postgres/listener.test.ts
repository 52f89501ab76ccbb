import { startProxy } from '@voelgoed/faults/proxy';
import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { testServices } from '@voelgoed/testkit/services';
import { describe, expect, it } from 'vitest';
import { systemClock, systemRandom } from '#kit';
import { recordingTelemetry } from '#telemetry';
import { startListener } from './listener.ts';

const database = useDatabase();

function listen(url = database.appUrl) {
  const heard: string[] = [];
  let gaps = 0;
  const telemetry = recordingTelemetry();
  const listener = startListener({
    url,
    channels: ['test_changes', 'odd "name"'],
    onMessage: (channel, payload) => heard.push(`${channel}: ${payload}`),
    onGap: () => gaps++,
    clock: systemClock,
    random: systemRandom,
    telemetry,
  });
  return { listener, heard, gaps: () => gaps, telemetry };
}

const notify = (payload: string) =>
  database.asOwner(`select pg_notify('test_changes', $1)`, [payload]);

describe('listener', () => {
  it('hears every channel', async () => {
    const { listener, heard } = listen();
    await listener.ready;
    await notify('first');
    await database.asOwner(`select pg_notify('odd "name"', 'second')`);
    await eventually(() => heard.length === 2);
    expect(heard).toEqual(['test_changes: first', 'odd "name": second']);
    await listener.stop();
  });

  it('listens again after its connection was ended, and reports the gap', async () => {
    const { listener, heard, gaps } = listen();
    await listener.ready;
    expect(gaps()).toBe(0);
    await database.asSuperuser(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'voelgoed listener' and datname = current_database()`);
    await eventually(() => gaps() === 1);
    await notify('after');
    await eventually(() => heard.includes('test_changes: after'));
    expect(await listener.notify('test_changes', 'by itself')).toBe(true);
    await eventually(() => heard.includes('test_changes: by itself'));
    await listener.stop();
    expect(await listener.notify('test_changes', 'too late')).toBe(false);
  });

  it('notices a connection that has gone silent', { timeout: 30_000 }, async () => {
    const path = `${new URL(testServices().ownerUrl).searchParams.get('host')}/.s.PGSQL.5432`;
    const proxy = await startProxy({ upstream: { path } });
    const url = new URL(proxy.through(database.appUrl));
    url.searchParams.delete('host');
    const { listener, heard, gaps } = listen(url.href);
    await listener.ready;
    proxy.setToxic({ kind: 'half_open', gone: 'upstream' });
    proxy.setToxic(null);
    await eventually(() => gaps() === 1, { within_ms: 20_000 });
    await notify('after');
    await eventually(() => heard.includes('test_changes: after'));
    await listener.stop();
    await proxy.close();
  });

  it('stops while the server is not there', async () => {
    const { listener, telemetry } = listen('postgresql://nobody@127.0.0.1:1/nothing');
    const lost = () => telemetry.happenings.some((one) => one.kind === 'postgres.connection_lost');
    await eventually(lost);
    expect(await listener.notify('test_changes', 'to nobody')).toBe(false);
    await listener.stop();
  });
});
