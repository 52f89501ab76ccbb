import { Admission } from '@voelgoed/engine/accounts';
import { manualClock } from '@voelgoed/engine/kit';
import { anOrganization } from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { describe, expect, it } from 'vitest';
import { Standings } from './standings.ts';

const database = useDatabase();
const MINUTE_MS = 60_000;

/** The real one, which counts how often it is asked, and can be out of reach. */
class CountedAdmission extends Admission {
  people = 0;
  numbers = 0;
  answered = 0;
  isThere = true;
  /** Questions for numbers that wait for the test to fail them; null: none does. */
  waiting: (() => void)[] | null = null;

  override admit(organizationId: string, subject: string) {
    this.people++;
    return this.isThere ? super.admit(organizationId, subject) : Promise.reject(new Error('gone'));
  }

  override async versions(organizationIds: readonly string[]) {
    this.numbers++;
    const { waiting } = this;
    if (waiting) await new Promise<void>((failed) => waiting.push(failed));
    if (!this.isThere) throw new Error('gone');
    const versions = await super.versions(organizationIds);
    this.answered++;
    return versions;
  }
}

async function setUp() {
  const clock = manualClock();
  const admission = new CountedAdmission(database.postgres);
  const standings = new Standings(admission, clock);
  const { organizationId } = await anOrganization(database.postgres);
  const found = (subject = 'x') => standings.of(organizationId, subject);
  const { standing } = await found();
  expect(standing).toMatchObject({ organization: 'active', user: 'active', membership: null });
  const run = (sql: string) => database.asSuperuser(sql.replaceAll('$org', `'${organizationId}'`));
  return { clock, admission, standings, organizationId, found, run };
}

const MEMBER = `insert into memberships (organization_id, user_id, role)
  select organization_id, user_id, 'staff' from users where organization_id = $org`;
const CHANGES: readonly (readonly [string, string, object])[] = [
  ['a new member', MEMBER, { membership: { role: 'staff', active: true } }],
  [
    'somebody disabled',
    `update users set status = 'disabled' where organization_id = $org`,
    { user: 'disabled' },
  ],
  [
    'a suspended organization',
    `update organizations set status = 'suspended' where organization_id = $org`,
    { organization: 'suspended' },
  ],
];

describe('a standing', () => {
  it('is asked for once as long as nothing changes, and its number once a second', async () => {
    const { clock, admission, found } = await setUp();
    for (let second = 0; second < 50; second++) {
      clock.advance(1_000);
      await Promise.all([found(), found(), found()]);
      await eventually(() => admission.answered === second + 1);
    }
    expect(admission.numbers).toBe(50);
    expect(admission.people).toBe(1);
    clock.advance(MINUTE_MS);
    await Promise.all([found(), found(), found()]);
    expect(admission.people).toBe(2);
  });

  it.each(CHANGES)('follows %s within five seconds', async (_, change, expected) => {
    const { clock, found, run } = await setUp();
    await run(change);
    clock.advance(5_000);
    expect((await found()).standing).toMatchObject(expected);
  });

  it.each(CHANGES)('follows %s soon where people keep coming', async (_, change, expected) => {
    const { clock, admission, found, run } = await setUp();
    await run(change);
    clock.advance(999);
    expect((await found()).standing).not.toMatchObject(expected);
    expect(admission.numbers).toBe(0);
    clock.advance(1);
    await found();
    await eventually(() => admission.answered === 1);
    expect((await found()).standing).toMatchObject(expected);
  });

  it.each(CHANGES)('misses %s where nobody counts it (control)', async (_, change, expected) => {
    const { clock, found, run } = await setUp();
    const tables = ['memberships', 'users', 'organizations'];
    const switched = (word: string) =>
      tables.map((table) => `alter table ${table} ${word} trigger user`).join('; ');
    await run(`${switched('disable')}; ${change}; ${switched('enable')}`);
    clock.advance(50_000);
    expect((await found()).standing).not.toMatchObject(expected);
  });

  it('of a member ends with the membership, which nobody changes for that', async () => {
    const { clock, found, run } = await setUp();
    await run(MEMBER);
    await run(`update memberships set valid_until = now() + interval '20 s'
      where organization_id = $org`);
    clock.advance(5_000);
    expect((await found()).standing?.membership?.active).toBe(true);
    await run(`alter table memberships disable trigger user;
      update memberships set valid_until = now() where organization_id = $org;
      alter table memberships enable trigger user`);
    clock.advance(14_000);
    expect((await found()).standing?.membership?.active).toBe(true);
    clock.advance(6_000);
    expect((await found()).standing?.membership?.active).toBe(false);
  });

  it('is not asked for again by a change that changes nothing', async () => {
    const { clock, admission, found, run } = await setUp();
    await run(MEMBER);
    clock.advance(5_000);
    expect((await found()).standing?.membership?.role).toBe('staff');
    const asked = admission.people;
    await run(`update memberships set changed_at = now() where organization_id = $org`);
    clock.advance(5_000);
    await found();
    expect(admission.people).toBe(asked);
    await run(`update memberships set tier = 'gold' where organization_id = $org`);
    clock.advance(5_000);
    expect((await found()).standing?.membership?.tier).toBe('gold');
  });

  it('of many organizations is one question for all who came', async () => {
    const { clock, admission, standings } = await setUp();
    const scopes = await Promise.all(
      Array.from({ length: 20 }, () => anOrganization(database.postgres)),
    );
    const all = () =>
      Promise.all(scopes.map(({ organizationId }) => standings.of(organizationId, 'x')));
    await all();
    clock.advance(1_000);
    // Everybody is known to have come when the first of them asks.
    await all();
    await eventually(() => admission.answered > 0);
    const before = admission.numbers;
    clock.advance(1_000);
    await all();
    await eventually(() => admission.answered > before);
    expect(admission.numbers - before).toBeLessThanOrEqual(2);
  });

  it('waits for the question about it, and not for the next one about others', async () => {
    const { clock, admission, standings, found } = await setUp();
    const other = await anOrganization(database.postgres);
    await standings.of(other.organizationId, 'x');
    clock.advance(5_000);
    admission.isThere = false;
    admission.waiting = [];
    const { waiting } = admission;
    const ours = found();
    await eventually(() => waiting.length === 1);
    const theirs = standings.of(other.organizationId, 'x').catch(() => 'failed');
    // The first fails; the second is asked, and nobody answers it.
    waiting[0]?.();
    await expect(ours).rejects.toThrow('gone');
    await eventually(() => waiting.length === 2);
    waiting[1]?.();
    expect(await theirs).toBe('failed');
  });

  it('of an organization that is not there is asked for again after a while', async () => {
    const { clock, admission, standings } = await setUp();
    const nowhere = '00000000-0000-7000-8000-000000000000';
    const asked = admission.people;
    for (let count = 0; count < 3; count++) {
      expect((await standings.of(nowhere, 'x')).standing).toBeNull();
    }
    expect(admission.people).toBe(asked + 1);
    clock.advance(5_000);
    await standings.of(nowhere, 'x');
    expect(admission.people).toBe(asked + 2);
  });

  it('counts for five seconds while nobody can be asked, and no longer', async () => {
    const { clock, admission, found } = await setUp();
    admission.isThere = false;
    clock.advance(4_999);
    expect((await found()).standing).not.toBeNull();
    clock.advance(1);
    await expect(found()).rejects.toThrow('gone');
    admission.isThere = true;
    expect((await found()).standing).not.toBeNull();
  });
});
