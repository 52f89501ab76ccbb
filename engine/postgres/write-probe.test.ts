import { startProxy } from '@voelgoed/faults/proxy';
import { control } from '@voelgoed/testkit/controls';
import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { testServices } from '@voelgoed/testkit/services';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#kit';
import { recordingTelemetry, silentTelemetry } from '#telemetry';
import type { Postgres } from './postgres.ts';
import { WriteProbe } from './write-probe.ts';

const database = useDatabase();

function aProbe(postgres: Pick<Postgres, 'transaction' | 'lastRefusal'> = database.open()) {
  return new WriteProbe({ postgres, clock: systemClock, telemetry: silentTelemetry });
}

/** On a busy machine a look may not have its answer within its second: then it is taken again. */
function answered(probe = aProbe()): Promise<string> {
  return eventually(async () => {
    const words = await probe.look();
    return words === 'does not answer' ? undefined : words;
  });
}

/** A write that raises this state. */
async function planted(state: string): Promise<void> {
  await database.asSuperuser(`create or replace function public.setval(text, integer)
    returns bigint language plpgsql as $$
    begin raise exception using errcode = '${state}', message = 'planted'; end $$`);
  await database.asSuperuser(
    `alter role voelgoed_app in database ${database.name} set search_path = public, pg_catalog`,
  );
}

async function nothingPlanted(): Promise<void> {
  await database.asSuperuser('drop function if exists public.setval(text, integer)');
  await database.asSuperuser(`alter role voelgoed_app in database ${database.name} reset all`);
}

/** Reads as the probe does, and writes nothing. */
function onlyReading(postgres: Postgres): Pick<Postgres, 'transaction' | 'lastRefusal'> {
  const transaction: Postgres['transaction'] = (scope, options, work) =>
    postgres.transaction(scope, options, (one) =>
      work({ query: (...given) => one.query(...given), exchange: async () => [] }),
    );
  return { transaction, lastRefusal: null };
}

control('write probe', async (off) => {
  await planted('53100');
  try {
    const postgres = database.open();
    const words = await answered(aProbe(off.has('write probe') ? onlyReading(postgres) : postgres));
    return words === 'ok' ? ['ready while nothing can be written'] : [];
  } finally {
    await nothingPlanted();
  }
});

describe('the write probe', () => {
  it('is content with a server that accepts writes', async () => {
    expect(await answered()).toBe('ok');
  });

  it('writes: the log of the server grows, and its tables do not', async () => {
    const position = async () =>
      (await database.asSuperuser('select pg_current_wal_insert_lsn()::text as at'))[0]?.at;
    const size = async () =>
      (await database.asSuperuser(`select pg_relation_size('write_probe') as bytes`))[0]?.bytes;
    const before = [await position(), await size()];
    for (let time = 0; time < 20; time++) expect(await answered()).toBe('ok');
    expect(await position()).not.toBe(before[0]);
    expect(await size()).toBe(before[1]);
  });

  it('asks once in a second, however often it is looked at', async () => {
    const telemetry = recordingTelemetry();
    const probe = aProbe(database.open({ telemetry }));
    await Promise.all(Array.from({ length: 50 }, () => probe.look()));
    const asked = telemetry.happenings.filter(
      (one) => one.kind === 'postgres.statement' && one.name === 'postgres.write_probe',
    );
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['53100', 'its disk is full'],
    ['53200', 'no memory left'],
    ['58030', 'cannot read or write its files'],
    ['57P03', 'is starting or shutting down'],
    ['XX001', 'corrupted'],
    ['ZZ999', 'an unknown class'],
  ])('says in plain words what %s means', async (state, words) => {
    await planted(state);
    try {
      expect(await answered()).toContain(words);
    } finally {
      await nothingPlanted();
    }
    expect(await answered()).toBe('ok');
  });

  it('says that a server is read-only', async () => {
    const set = (is: string) =>
      database.asSuperuser(`alter role voelgoed_app in database ${database.name}
        set default_transaction_read_only = ${is}`);
    await set('on');
    try {
      expect(await answered()).toContain('is read-only');
    } finally {
      await set('off');
    }
  });

  it('needs room on the disk: a limit on files in passing is found', async () => {
    // Superusers may set it for a role: as a disk that has 100 kB left, for this role alone.
    await database.asSuperuser(
      `alter role voelgoed_app in database ${database.name} set temp_file_limit = '100kB'`,
    );
    try {
      expect(await answered()).toContain('a limit of its own');
    } finally {
      await nothingPlanted();
    }
  });

  it('says after a second that the server is silent', async () => {
    const path = `${new URL(testServices().ownerUrl).searchParams.get('host')}/.s.PGSQL.5432`;
    const proxy = await startProxy({ upstream: { path } });
    const url = new URL(proxy.through(database.appUrl));
    url.searchParams.delete('host');
    const probe = aProbe(database.open({ appUrl: url.href }));
    expect(await answered(probe)).toBe('ok');
    proxy.setToxic({ kind: 'blackhole' });
    await eventually(async () => (await probe.look()) === 'does not answer', {
      within_ms: 10_000,
    });
    proxy.setToxic(null);
    await eventually(async () => (await probe.look()) === 'ok', { within_ms: 20_000 });
    await proxy.close();
  });

  it('believes a write that was refused before it asks again', async () => {
    const postgres = database.open();
    let refusal: Postgres['lastRefusal'] = null;
    const probe = aProbe({
      transaction: (...given) => postgres.transaction(...given),
      get lastRefusal() {
        return refusal;
      },
    });
    expect(await probe.look()).toBe('ok');
    refusal = { reason: 'disk_full', at_ms: systemClock.monotonic() };
    expect(await probe.look()).toContain('its disk is full');
    await eventually(async () => (await probe.look()) === 'ok', { within_ms: 5_000 });
  });
});
