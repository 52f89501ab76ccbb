import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { stepEvent } from '@voelgoed/engine/workflows';
import {
  aCaller,
  aHall,
  anEngine,
  anOrganization,
  aPublishedEvent,
  aSoldSeat,
  newId,
} from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { testConfig } from '@voelgoed/testkit/servers';
import { aTestFolder, testServices } from '@voelgoed/testkit/services';
import { describe, expect, it } from 'vitest';
import { EXIT } from './cli.ts';
import { type } from './test-terminal.ts';

describe('files of the command line', () => {
  const database = useDatabase();

  async function aDesk() {
    const engine = anEngine(database.postgres);
    const slug = `org-${newId().slice(-12)}`;
    const scope = await anOrganization(database.postgres, { slug });
    const folder = await aTestFolder('files');
    const { ownerUrl, appUrl, jobsUrl, writerUrl } = database;
    const { authSecret } = testServices();
    const around = {
      engine,
      config: testConfig(),
      ownerUrl,
      appUrl,
      jobsUrl,
      writerUrl,
      authSecret,
    };
    const run = (...args: string[]) => type(around, args);
    const file = (name: string) => join(folder, name);
    return { engine, scope, slug, run, file };
  }

  it('exports an event that can be verified without a database', async () => {
    const { engine, scope, slug, run, file } = await aDesk();
    const { eventId } = await aPublishedEvent(engine, scope);
    await aSoldSeat(engine, scope, eventId);
    const out = file('show.ndjson.gz');
    const told = await run('export', slug, eventId, '--out', out);
    expect(told).toMatchObject({ code: EXIT.done, err: '' });
    expect((await stat(out)).mode & 0o077).toBe(0);
    expect(await run('export', slug, eventId, '--out', out)).toMatchObject({ code: EXIT.refused });
    const whole = await run('verify-archive', out);
    expect(whole.code).toBe(EXIT.done);
    expect(whole.out).toMatch(/is whole: \d+ changes, \d+ audit rows, \d+ records/);
    const lines = gunzipSync(await readFile(out))
      .toString()
      .trimEnd()
      .split('\n');
    const of = lines.map((line) => JSON.parse(line)).map(({ kind, of: what }) => what ?? kind);
    for (const kind of ['archive', 'change', 'audit', 'hold', 'checkout', 'ticket', 'end']) {
      expect(of).toContain(kind);
    }
    const damages: [string, (all: string[]) => string[]][] = [
      ['a changed log', (all) => all.map((line) => line.replace('"held"', '"hold"'))],
      [
        'a changed trail',
        (all) => all.map((line) => line.replace('"actor_kind":"system"', '"actor_kind":"user"')),
      ],
      ['a line that is gone', (all) => all.toSpliced(2, 1)],
      ['a changed record', (all) => all.map((line) => line.replace('"converted"', '"expired"'))],
      ['a tail that is gone', (all) => all.slice(0, -1)],
    ];
    for (const [name, damage] of damages) {
      const path = file(`${name}.gz`);
      const damaged = damage(lines);
      expect(damaged.join('\n'), name).not.toBe(lines.join('\n'));
      await writeFile(path, gzipSync(`${damaged.join('\n')}\n`));
      expect(await run('verify-archive', path), name).toMatchObject({ code: EXIT.found });
    }
    const half = file('half.gz');
    await writeFile(half, (await readFile(out)).subarray(0, 300));
    expect(await run('verify-archive', half)).toMatchObject({ code: EXIT.found });
  });

  it('takes the log of an archived event out of the database, and nothing else', async () => {
    const { engine, scope, slug, run, file } = await aDesk();
    const { eventId } = await aPublishedEvent(engine, scope);
    await aSoldSeat(engine, scope, eventId);
    const archive = ['archive', slug, eventId, '--out'];
    const early = await run(...archive, file('early.gz'), '--yes');
    expect(early).toMatchObject({ code: EXIT.refused });
    expect(early.err).toContain('only an archived event');
    const caller = aCaller({ scope });
    await stepEvent(engine, caller, eventId, 'cancel', 'storm');
    await stepEvent(engine, caller, eventId, 'archive');
    const counts = () =>
      database.asSuperuser(
        `select (select count(*)::int from seat_changes where event_id = $1) as changes,
           (select count(*)::int from audit_log where chain_id = $1) as audit,
           (select count(*)::int from tickets where event_id = $1) as tickets`,
        [eventId],
      );
    const [before] = await counts();
    const unasked = await run(...archive, file('unasked.gz'));
    expect(unasked).toMatchObject({ code: EXIT.refused });
    expect(await counts()).toEqual([before]);
    const done = await run(...archive, file('kept.gz'), '--yes');
    expect(done).toMatchObject({ code: EXIT.done, err: '' });
    expect(await counts()).toEqual([{ ...before, changes: 1 }]);
    // The board and its chain are as they were, for whoever loads them anew.
    const fresh = anEngine(database.postgres);
    const board = await fresh.registry.current({ scope, eventId });
    expect(board?.digest).toBe((await engine.registry.current({ scope, eventId }))?.digest);
    await fresh.registry.stop();
    expect(await run('replay', slug, eventId)).toMatchObject({ code: EXIT.done });
    expect(await run('replay', slug, eventId, '--revision', '1')).toMatchObject({
      code: EXIT.missing,
    });
    expect(await run('verify-audit', slug, '--all')).toMatchObject({ code: EXIT.done });
    expect(await run('verify-archive', file('kept.gz'))).toMatchObject({ code: EXIT.done });
  });

  it('judges, generates and imports layouts', async () => {
    const { slug, run, file } = await aDesk();
    await writeFile(file('hall.json'), JSON.stringify(aHall()));
    const good = await run('layout', 'validate', slug, file('hall.json'));
    expect(good).toMatchObject({ code: EXIT.done });
    expect(good.out).toContain('20 seats');
    await writeFile(file('bad.json'), JSON.stringify({ seat_size: -1, zones: [{ name: '' }] }));
    const bad = await run('layout', 'validate', slug, file('bad.json'));
    expect(bad.code).toBe(EXIT.found);
    expect(bad.out).toMatch(/^where +code +what\n/);
    const generated = file('gala.json');
    const gala = ['--preset', 'gala', '--with', 'tables=3,seats_per_table=8', '--out', generated];
    const made = await run('layout', 'generate', slug, ...gala);
    expect(made).toMatchObject({ code: EXIT.done });
    expect(made.out).toContain('24 seats');
    expect(await run('layout', 'validate', slug, generated)).toMatchObject({ code: EXIT.done });
    expect(await run('layout', 'generate', slug, '--preset', 'gala')).toMatchObject({ code: 2 });
    const nowhere = await run('layout', 'import', slug, file('none.json'), '--out', file('x'));
    expect(nowhere).toMatchObject({ code: EXIT.missing });
    const plan = await run('layout', 'import', slug, file('hall.json'), '--out', file('y'));
    expect(plan).toMatchObject({ code: EXIT.found });
  });
});
