import { readFile } from 'node:fs/promises';
import { anEngine } from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { testConfig } from '@voelgoed/testkit/servers';
import { describe, expect, it } from 'vitest';
import { EXIT } from './cli.ts';
import { table } from './table.ts';
import { type } from './test-terminal.ts';

const COMMANDS = [
  'archive',
  'audit',
  'audit-head',
  'block',
  'clock',
  'demo-stadium',
  'doctor',
  'events',
  'expire-now',
  'export',
  'holds',
  'keys',
  'layout',
  'migrate',
  'organization',
  'reconcile',
  'refusals',
  'release',
  'replay',
  'schema',
  'status',
  'unblock',
  'verify-archive',
  'verify-audit',
];

describe('using the command line', () => {
  const database = useDatabase();
  const runOn = (ownerUrl: string, args: string[]) => {
    const { appUrl, jobsUrl, writerUrl } = database;
    const config = testConfig({ DATA_DIR: 'nowhere' });
    const authSecret = 'q7Zk-3vXw9_LmN2pRt5Yb8Cd1Fh4Gj6S';
    const engine = anEngine(database.postgres);
    return type({ engine, config, ownerUrl, appUrl, jobsUrl, writerUrl, authSecret }, args);
  };
  const run = (...args: string[]) => runOn(database.ownerUrl, args);

  it('explains itself and its exit codes, and the guide has every command', async () => {
    const help = await run('--help');
    expect(help.code).toBe(EXIT.done);
    const listed = [...help.out.matchAll(/^ {2}([a-z][a-z-]+)(?: |$)/gm)].map(([, name]) => name);
    expect(listed.filter((name) => name !== 'help')).toEqual(COMMANDS);
    const guide = await readFile('docs/command-line.md', 'utf8');
    for (const name of COMMANDS) expect(guide).toContain(`\`${name}`);
    for (const code of Object.values(EXIT)) {
      expect(help.out).toMatch(new RegExp(`^ {2}${code}  \\w`, 'm'));
      expect(guide).toMatch(new RegExp(`^\\| ${code} \\|`, 'm'));
    }
  });

  it.each(COMMANDS)('explains %s', async (name) => {
    const help = await run(name, '--help');
    expect(help).toMatchObject({ code: EXIT.done, err: '' });
    expect(help.out).toContain(`Usage: voelgoed ${name}`);
    expect(help.out).toContain('--json');
  });

  it.each([
    ['an unknown command', ['sell-everything'], 'unknown command'],
    ['a missing argument', ['events'], "missing required argument 'organization'"],
    ['a missing reason', ['release', 'acme', '--user', UUID()], '--reason'],
    ['an unknown option', ['status', '--loud'], "unknown option '--loud'"],
    ['no id', ['release', 'acme', '--holds', 'x', '--reason', 'y'], 'It is no id'],
    ['no number', ['holds', 'acme', 'show', '--due', 'soon'], 'It is no whole number'],
    ['no number at all', ['holds', 'acme', 'show', '--due', ''], 'It is no whole number'],
  ])('says what is wrong with %s', async (_, args, sentence) => {
    const told = await run(...args);
    expect(told).toMatchObject({ code: EXIT.usage, out: '' });
    expect(told.err).toContain(sentence);
  });

  it.each([
    [['events', 'nobody'], EXIT.missing, 'there is no organization "nobody"'],
    [['verify-archive', 'nowhere.ndjson'], EXIT.missing, 'there is no file nowhere.ndjson'],
    [['organization', 'create', 'Not A Slug', '--owner', 'a@b.example'], EXIT.usage, 'is no slug'],
  ])('tells apart what is missing and what is wrong: %o', async (args, code, sentence) => {
    const told = await run(...args);
    expect(told.code).toBe(code);
    expect(told.err).toContain(sentence);
  });

  it('tells a database that is away from everything else', async () => {
    const nowhere = 'postgres://nobody@127.0.0.1:1/nothing';
    const told = await runOn(nowhere, ['schema']);
    expect(told).toMatchObject({ code: EXIT.unavailable, out: '' });
    expect(told.err).toContain('ECONNREFUSED');
  });

  it('finds what the doctor finds, and says so by its exit code', async () => {
    const told = await run('doctor');
    // The Postgres of tests does not wait for the disk.
    expect(told.code).toBe(EXIT.found);
    expect(told.out).toMatch(/^PROBLEM {2}fsync +off\n +Set it to on/m);
    expect(told.out).toMatch(/^ok {7}row level security +forced on every tenant table$/m);
  });

  it('prints names that others chose without letting them move the cursor', () => {
    const rows = [{ name: 'a\u001b[2Jb' }];
    expect(table(rows, [{ name: 'name', of: (row) => row.name }])).toBe('name\na\ufffd[2Jb');
  });
});

function UUID(): string {
  return '0199f0f0-0000-7000-8000-000000000000';
}
