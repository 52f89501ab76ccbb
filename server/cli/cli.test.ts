import { holdForCaller, holdSeats } from '@voelgoed/engine/workflows';
import {
  aCaller,
  anEngine,
  anOrganization,
  aPublishedEvent,
  newId,
} from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { testConfig } from '@voelgoed/testkit/servers';
import { testServices } from '@voelgoed/testkit/services';
import { describe, expect, it } from 'vitest';
import { EXIT } from './cli.ts';
import { type } from './test-terminal.ts';

describe('the command line', () => {
  const database = useDatabase();

  /** A show with one seat held, and a terminal beside it. */
  async function aDesk() {
    const engine = anEngine(database.postgres);
    const slug = `org-${newId().slice(-12)}`;
    const scope = await anOrganization(database.postgres, { slug });
    const { eventId } = await aPublishedEvent(engine, scope);
    const board = await engine.registry.board({ scope, eventId });
    const seat_id = board?.plan.seatIdOf(0) ?? '';
    const held = await holdForCaller(engine, aCaller({ scope }), eventId, {
      items: [{ seat_id }],
      for: newId(),
      minutes: null,
      notes: null,
    });
    if (held.kind !== 'held') throw new Error('the first seat is free');
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
    const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out);
    const asked = (answer: string, ...args: string[]) => type(around, args, answer);
    const holdId = held.holds[0]?.hold.hold_id ?? '';
    return { engine, scope, slug, eventId, holdId, run, json, asked };
  }

  it('shows the drift of event time, slews it, and removes it after a question', async () => {
    const { run, json, asked } = await aDesk();
    expect((await run('clock')).out).toContain('there is no drift');
    await database.asOwner(`update clock_state set epoch = epoch + 1, drift_ms = 7200000`);
    expect((await run('clock')).out).toMatch(/7200\.0 s ahead of event time since .*; it stays/);
    expect((await run('clock', 'slew')).out).toMatch(/it goes away by 1 %, in about 200\.0 hours/);
    expect(await json('clock')).toMatchObject({ slewing: true });
    expect((await run('clock', 'stop')).out).toContain('it stays until');
    const unsure = await asked('no', 'clock', 'remove');
    expect(unsure.code).not.toBe(EXIT.done);
    expect((await json('clock')).drift_ms).toBeGreaterThan(7_000_000);
    expect((await run('clock', 'remove', '--yes')).out).toContain('there is no drift');
    const wrong = await run('clock', 'forward');
    expect([wrong.code, wrong.err]).toEqual([EXIT.usage, expect.stringContaining('none of slew')]);
    // Event time never runs backwards.
    await database.asOwner(`update clock_state set epoch = epoch + 1, drift_ms = -7200000`);
    const refused = await run('clock', 'remove', '--yes');
    expect([refused.code, refused.err]).toEqual([
      EXIT.refused,
      expect.stringContaining('use "clock slew"'),
    ]);
    await database.asOwner(`update clock_state set epoch = epoch + 1, drift_ms = 0`);
  });

  it('shows organizations, events and holds as tables and as JSON', async () => {
    const { slug, eventId, holdId, run, json } = await aDesk();
    const all = await run('status');
    expect(all.code).toBe(EXIT.done);
    expect(all.out).toMatch(/^organization +status +events +held +sold +due +id\n/);
    const lines = await json('status');
    expect(lines.find((line: { slug: string }) => line.slug === slug)).toMatchObject({
      on_sale: 1,
      held: 1,
    });
    const [event] = await json('events', slug);
    expect(event).toMatchObject({ event_id: eventId, status: 'published', tally: { held: 1 } });
    expect((await run('events', slug, '--status', 'ended')).out).toBe('There is no event.\n');
    const [hold] = await json('holds', slug, event.slug);
    expect(hold).toMatchObject({ hold_id: holdId, place: 'A-1', quantity: 1 });
    expect(await json('holds', slug)).toEqual([expect.objectContaining({ hold_id: holdId })]);
    const listed = (await run('holds', slug)).out;
    expect(listed).toMatch(new RegExp(`^${event.slug} +A-1 `, 'm'));
    // People by their names, and beside them by their ids; times with their zone.
    await database.asSuperuser(`update users set name = 'Thandi Nkosi' where user_id = $1`, [
      hold.user_id,
    ]);
    const named = new RegExp(`Thandi Nkosi +${hold.user_id}`);
    expect((await run('holds', slug)).out).toMatch(named);
    const events = (await run('events', slug)).out;
    expect(events).toMatch(/^event +name +status +starts \(UTC\) /);
    expect(events).toContain(` ${event.starts_at.slice(0, 16)}Z `);
    expect((await run('holds', slug, eventId, '--due', '1')).out).toBe('Nothing is held.\n');
    const tiers = await run('status', slug, eventId);
    expect(tiers).toMatchObject({ code: EXIT.done, err: '' });
    expect(tiers.out).toContain('Postgres has 1 holds.');
    // What the command line has just loaded itself is no node's memory.
    expect(tiers.out).not.toMatch(/^memory/m);
    expect(tiers.out).toContain('--node <url>');
    expect((await run('reconcile', slug)).out).toContain('There is no Redis');
  });

  it('releases holds with a reason, names who did it, and asks before', async () => {
    const { slug, eventId, holdId, run, json, asked } = await aDesk();
    const release = ['release', slug, '--holds', holdId, '--reason', 'a double booking by phone'];
    expect(await run(...release)).toMatchObject({ code: EXIT.refused, out: '' });
    expect((await run(...release)).err).toContain('--yes');
    const no = await asked('n', ...release);
    expect(no).toMatchObject({ code: EXIT.refused });
    expect(no.err).toContain('1 holds will be released. Go on? [y/N]');
    expect(await json('holds', slug, eventId)).toHaveLength(1);
    const yes = await asked('y', ...release, '--as', 'Anna at the desk');
    expect(yes).toMatchObject({ code: EXIT.done, out: '1 seats and places were released.\n' });
    expect(await json('holds', slug, eventId)).toEqual([]);
    const trail = await json('audit', slug, eventId);
    const entry = trail.find(
      (one: { user_agent: string }) => one.user_agent === 'command line, as Anna at the desk',
    );
    expect(entry).toMatchObject({ actor_kind: 'platform' });
    expect(JSON.stringify(entry?.changes)).toContain('a double booking by phone');
    const again = await json(...release, '--yes');
    expect(again).toMatchObject({ seats_released: 0 });
  });

  it('answers who had a seat, what happened to a user, and what was refused', async () => {
    const { engine, scope, slug, eventId, holdId, run, json } = await aDesk();
    const [entry] = await json('audit', slug, eventId, '--seat', 'A-1');
    expect(entry).toMatchObject({ action: 'seat_reserved', entity_id: holdId, chain_id: eventId });
    const told = await run('audit', slug, eventId, '--user', entry.user_id, '--limit', '5');
    expect(told.out).toMatch(
      /^sequence +time \(UTC\) +action +seats +user +user id +by +name +actor id/,
    );
    const user = entry.user_id;
    await database.asSuperuser(`update users set name = 'Sarie' where user_id = $1`, [user]);
    await database.asSuperuser(
      `update audit_log set actor_kind = 'user', actor_id = $1, actor_role = 'staff'
       where chain_id = $2`,
      [user, eventId],
    );
    const again = await run('audit', slug, eventId, '--user', entry.user_id);
    expect(again.out).toMatch(new RegExp(`A-1 +Sarie +${user} .* Sarie +${user}`));
    const unknown = await run('audit', slug, eventId, '--actor', 'Botha');
    expect([unknown.code, unknown.err]).toEqual([
      EXIT.missing,
      expect.stringContaining('no member and no API key is called so'),
    ]);
    const [first] = (await run('audit', slug, '--limit', '1')).err.match(/--before \d+/) ?? [];
    const older = await run('audit', slug, ...String(first).split(' '));
    expect([older.code, older.err]).toEqual([EXIT.done, '']);
    const none = ['--seat', 'A-1', '--from', '2099-01-01T00:00:00Z'];
    expect((await run('audit', slug, eventId, ...none)).out).toBe('No entry is so.\n');
    const seat_id = entry.changes.seat_id;
    const wish = { items: [{ seat_id }], cart_token: null, source: 'web' } as const;
    await holdSeats(engine, aCaller({ scope }), eventId, wish);
    await engine.refusals.flush();
    const refused = await run('refusals', slug, eventId, '--seat', 'A-1');
    expect(refused.out).toMatch(/seat_held_by_another_user +1 +A-1/);
    expect(await json('refusals', slug, '--code', 'rate_limited')).toEqual([]);
    await holdSeats(engine, aCaller({ scope }), eventId, wish);
    await engine.refusals.flush();
    const cut = await run('refusals', slug, '--limit', '1');
    expect(cut.err).toMatch(/^The list was cut\. It goes on with --before [0-9a-f-]{36}\n$/);
    for (const [code, ...args] of [
      [EXIT.usage, slug, '--seat', 'A-1'],
      [EXIT.usage, slug, eventId, '--limit', '501'],
      [EXIT.usage, slug, eventId, '--from', 'yesterday'],
      [EXIT.missing, slug, eventId, '--seat', 'Z-99'],
      [EXIT.missing, slug, eventId, '--user', 'who@x.test'],
    ] as const) {
      expect(await run('audit', ...args)).toMatchObject({ code, out: '' });
      expect(await run('refusals', ...args)).toMatchObject({ code, out: '' });
    }
    const gone = await run('audit', slug, '--checkout', newId());
    expect(gone).toMatchObject({ code: EXIT.missing, err: 'there is no such checkout\n' });
  });

  it('blocks seats by their labels and puts them back', async () => {
    const { slug, eventId, run, json } = await aDesk();
    const reason = ['--reason', 'a broken chair', '--yes'];
    const blocked = await json('block', slug, eventId, '--seats', 'A-2, B-1', ...reason);
    expect(blocked.blocked).toHaveLength(2);
    expect((await json('events', slug))[0].tally.blocked).toBe(2);
    const unknown = await run('block', slug, eventId, '--seats', 'A-2,Q-7', ...reason);
    expect(unknown).toMatchObject({ code: EXIT.missing });
    expect(unknown.err).toContain('there is no seat Q-7');
    const free = await run('unblock', slug, eventId, '--seats', 'A-2,B-1', ...reason);
    expect(free.code).toBe(EXIT.done);
    expect((await json('events', slug))[0].tally.blocked).toBe(0);
  });

  it('ends what is due, and only that', async () => {
    const { engine, scope, slug, eventId, holdId, json } = await aDesk();
    expect(await json('expire-now', slug)).toEqual({ ended: 0, left: 0, events: [] });
    // As if its time had passed: on the board and in the table, which every node reads.
    const over = `held_until = now() - interval '1 minute'`;
    const earlier = `created_at = created_at - interval '1 hour'`;
    await database.asSuperuser(`update seat_holds set ${earlier}, ${over} where hold_id = $1`, [
      holdId,
    ]);
    await database.asSuperuser(`update event_seats set ${over} where seat_hold_id = $1`, [holdId]);
    const fresh = anEngine(database.postgres);
    const { ownerUrl, appUrl, jobsUrl, writerUrl } = database;
    const { authSecret } = testServices();
    const around = {
      engine: fresh,
      config: testConfig(),
      ownerUrl,
      appUrl,
      jobsUrl,
      writerUrl,
      authSecret,
    };
    const done = await type(around, ['expire-now', slug, eventId, '--json']);
    expect(JSON.parse(done.out)).toMatchObject({ ended: 1, left: 0 });
    expect((await engine.registry.current({ scope, eventId }))?.holdCount).toBe(0);
    await fresh.registry.stop();
  });

  it('verifies chains, signs heads and finds the altered row', async () => {
    const { slug, scope, eventId, run, json } = await aDesk();
    const chains = await json('verify-audit', slug, '--all');
    expect(chains).toHaveLength(2);
    const [event] = await json('events', slug);
    expect(chains[1]).toMatchObject({ chain: event.slug, chain_id: eventId });
    const all = (await run('verify-audit', slug, '--all')).out;
    expect(all).toMatch(new RegExp(`^${event.slug} +${eventId} `, 'm'));
    expect(chains.every(({ ok }: { ok: boolean }) => ok)).toBe(true);
    const head = JSON.parse((await run('audit-head', slug, eventId)).out);
    expect(head).toMatchObject({ chain_id: eventId, organization_id: scope.organizationId });
    expect(await run('verify-audit', slug, '--all', '--head', 'x')).toMatchObject({ code: 2 });
    await database.asSuperuser(
      `update audit_log set action = 'nothing' where chain_id = $1 and sequence = 1`,
      [eventId],
    );
    const broken = await run('verify-audit', slug, eventId);
    expect(broken.code).toBe(EXIT.found);
    expect(broken.out).toContain('BROKEN: row 1 is altered');
  });

  it('replays the board from the log, now and as it was', async () => {
    const { slug, eventId, run, json } = await aDesk();
    expect(await json('replay', slug, eventId)).toMatchObject({ matches: true });
    const before = await json('replay', slug, eventId, '--revision', '1');
    expect(before).toMatchObject({ revision: 1, matches: null });
    expect(await run('replay', slug, eventId, '--revision', '99')).toMatchObject({ code: 4 });
    expect(await run('replay', slug, eventId, '--at', 'soon')).toMatchObject({ code: 2 });
    await database.asSuperuser(
      `update seat_changes set flush_id = gen_random_uuid() where event_id = $1
       and revision = (select max(revision) from seat_changes where event_id = $1)`,
      [eventId],
    );
    const broken = await run('replay', slug, eventId);
    expect(broken).toMatchObject({ code: EXIT.found });
    expect(broken.out).toContain('BROKEN');
  });

  it('makes, lists, rotates and revokes keys', async () => {
    const { slug, run, json } = await aDesk();
    const made = await json('keys', 'create', slug, '--name', 'till', '--scopes', 'buy');
    expect(made.key).toMatch(/\S{20}/);
    const next = await json('keys', 'rotate', slug, made.key_id, '--overlap', '0');
    expect(next.key_id).not.toBe(made.key_id);
    await run('keys', 'revoke', slug, next.key_id, '--yes');
    const all = await json('keys', 'list', slug);
    expect(all.map(({ live }: { live: boolean }) => live)).toEqual([false, false]);
    expect(JSON.stringify(all)).not.toContain(made.key);
    const bad = await run('keys', 'create', slug, '--name', 'x', '--scopes', 'everything');
    expect(bad).toMatchObject({ code: EXIT.usage });
    expect(bad.err).toContain('"everything" is not one of');
    const [latest] = await json('audit', slug, '--limit', '1');
    expect(latest).toMatchObject({
      action: 'api_key_revoked',
      user_agent: 'command line, as night shift',
    });
  });

  it('makes organizations and suspends them', async () => {
    const { run, json } = await aDesk();
    const slug = `new-${newId().slice(-12)}`;
    const create = ['organization', 'create', slug, '--owner', 'owner@new.example'];
    expect(await json(...create)).toMatchObject({ slug });
    expect(await run(...create)).toMatchObject({ code: EXIT.refused });
    expect(await run('organization', 'suspend', slug)).toMatchObject({ code: EXIT.refused });
    expect((await run('organization', 'suspend', slug, '--yes')).out).toContain('is suspended');
    expect((await run('organization', 'list')).out).toMatch(new RegExp(`${slug} +suspended`));
  });
});
