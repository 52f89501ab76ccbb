import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LONGEST } from '#order';
import { startProcess } from '#servers';
import { aTestFolder, leftovers } from '#services';
import { changedFiles, pickTests, sentenceAbout } from './changed.ts';
import { dependents, type ImportGraph, pathOf, readImportGraph } from './import-graph.ts';
import { run } from './run.ts';
import { timesTable } from './times.ts';

const ROOT = dirname(dirname(import.meta.dirname));

const graph: ImportGraph = new Map([
  ['engine/kit/clock.ts', []],
  ['engine/kit/kit.ts', ['engine/kit/clock.ts']],
  ['engine/kit/clock.test.ts', ['engine/kit/kit.ts']],
  ['engine/board/board.ts', ['engine/kit/kit.ts']],
  ['engine/board/board.test.ts', ['engine/board/board.ts']],
  ['server/routes/holds.test.ts', ['engine/board/board.ts']],
  ['web/map/map.test.ts', []],
]);

describe('what a change touches', () => {
  it('is counted in imports', () => {
    expect(Object.fromEntries(dependents(graph, ['engine/kit/clock.ts']))).toEqual({
      'engine/kit/clock.ts': 0,
      'engine/kit/kit.ts': 1,
      'engine/kit/clock.test.ts': 2,
      'engine/board/board.ts': 2,
      'engine/board/board.test.ts': 3,
      'server/routes/holds.test.ts': 3,
    });
  });

  it('is tested from near to far, as far as the time goes; the nearest always', () => {
    const slow: Record<string, number> = { 'server/routes/holds.test.ts': 50 };
    const pick = (file: string, budget_s: number) =>
      pickTests(graph, [file], (one) => slow[one] ?? 10, budget_s);
    expect(pick('engine/kit/clock.ts', 60)).toEqual({
      run: ['engine/kit/clock.test.ts', 'engine/board/board.test.ts'],
      left: ['server/routes/holds.test.ts'],
      untested: [],
    });
    expect(pick('engine/kit/clock.ts', 0)).toEqual({
      run: ['engine/kit/clock.test.ts'],
      left: ['engine/board/board.test.ts', 'server/routes/holds.test.ts'],
      untested: [],
    });
    expect(pick('web/map/map.test.ts', 0).run).toEqual(['web/map/map.test.ts']);
    // A component of the web app is imported by no test: those beside it are run.
    expect(pick('web/map/Legend.svelte', 0).run).toEqual(['web/map/map.test.ts']);
    // Of many beside it, the one named like it comes first, and the others as the time allows.
    const routes: ImportGraph = new Map(
      ['audit', 'holds-lost', 'policy'].map((name) => [`server/routes/${name}.test.ts`, []]),
    );
    expect(pickTests(routes, ['server/routes/holds.ts'], () => 40, 60)).toMatchObject({
      run: ['server/routes/holds-lost.test.ts'],
      left: ['server/routes/audit.test.ts', 'server/routes/policy.test.ts'],
    });
  });

  it('is every test, for what all rest on; as many are run as the time allows', () => {
    const slow = (file: string) => (file.startsWith('server/') ? 50 : 10);
    for (const file of ['vitest.config.ts', 'package.json', 'tsconfig.json']) {
      expect(pickTests(graph, [file], slow, 60)).toEqual({
        run: ['engine/kit/clock.test.ts', 'engine/board/board.test.ts', 'web/map/map.test.ts'],
        left: ['server/routes/holds.test.ts'],
        untested: [],
      });
    }
    // What is imported is nearer than that.
    const both = pickTests(graph, ['package.json', 'engine/board/board.ts'], slow, 0);
    expect(both.run).toEqual(['engine/board/board.test.ts']);
    expect(both.left).toHaveLength(3);
  });

  it('is named, file by file, where no test is known', () => {
    const changed = ['docs/errors.md', 'engine/kit/clock.ts', 'ops/compose.yml'];
    const { untested } = pickTests(graph, changed, () => 1);
    expect(untested).toEqual(['docs/errors.md', 'ops/compose.yml']);
    expect(sentenceAbout(untested)).toBe(
      'No test is known that covers these files; npm test runs all:\n' +
        '  docs/errors.md\n  ops/compose.yml',
    );
  });

  it('reaches from files that are gone to those that still name them', async () => {
    const root = await aTestFolder('changed');
    const git = (...args: string[]) => execFileSync('git', args, { cwd: root });
    await mkdir(join(root, 'engine/kit'), { recursive: true });
    await writeFile(join(root, 'engine/kit/clock.ts'), 'export const clock = 1;');
    await writeFile(join(root, 'engine/kit/time.test.ts'), `import { clock } from './clock.ts';`);
    git('init', '-q');
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-qm', 'Begin');
    await rm(join(root, 'engine/kit/clock.ts'));
    const gone = changedFiles(root, 'HEAD');
    expect(gone).toEqual(['engine/kit/clock.ts']);
    expect(dependents(readImportGraph(root, gone), gone).get('engine/kit/time.test.ts')).toBe(1);
    expect(dependents(readImportGraph(root), gone).size).toBe(1);
  });

  it('finds what an import and a path in a text mean', () => {
    const from = 'engine/board/board.ts';
    expect(pathOf(from, './apply.ts')).toBe('engine/board/apply.ts');
    expect(pathOf(from, '#kit')).toBe('engine/kit/kit.ts');
    expect(pathOf(from, '@voelgoed/client/live')).toBe('client/live/live.ts');
    expect(pathOf(from, '../../db/migrations')).toBe('db/migrations');
    expect(pathOf(from, 'docs/proof.md')).toBe('docs/proof.md');
    expect(pathOf(from, '../../../elsewhere.ts')).toBe(null);
  });

  it('is read from the repository: code, pages that tests read, and migrations', () => {
    const real = readImportGraph(ROOT);
    const near = (file: string, test: string) => dependents(real, [file]).get(test);
    expect(near('engine/kit/clock.ts', 'engine/kit/clock.test.ts')).toBe(2);
    expect(near('docs/proof.md', 'testkit/controls/controls.test.ts')).toBe(1);
    expect(
      near('db/migrations/0001_foundation.sql', 'engine/postgres/schema.test.ts'),
    ).toBeDefined();
    expect(near('web/app/app.ts', 'engine/kit/clock.test.ts')).toBeUndefined();
  });
});

describe('the times of a run', () => {
  it('are summed by workspace, and the longest files are named', () => {
    const table = timesTable({
      'web/a/a.test.ts': 2,
      'web/b/b.test.ts': 3.25,
      'ops/c/c.test.ts': 1,
    });
    expect(table).toMatch(/5\.3 s {2}web, 2 files\n +1\.0 s {2}ops, 1 files/);
    expect(table).toMatch(/Longest files:\n +3\.3 s {2}web\/b\/b\.test\.ts\n/);
  });

  it('order the files: those named as longest exist', () => {
    expect(LONGEST.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});

describe('a run that is interrupted', () => {
  it('leaves nothing running, fails, and ends with its count', async () => {
    const before = await leftovers();
    const { child, says, output, exited } = startProcess('testkit/suite/suite.ts', {}, [
      'engine/registry/bulk',
    ]);
    await says(/ RUN /);
    child.kill('SIGINT');
    expect(await exited).toBe(1);
    expect(output()).toMatch(/\n\d+ passed, [1-9]\d* failed\n$/);
    expect((await leftovers()).filter((one) => !before.includes(one))).toEqual([]);
  });

  it('ends also what a run inside of it has started, when that one is killed', async () => {
    const started = 'setTimeout(() => {}, 20000)';
    const inner = `
      import { run } from '${ROOT}/testkit/suite/run.ts';
      run(process.execPath, ['-e', '${started}']);
      process.kill(process.pid, 'SIGKILL');`;
    const { survivors } = await run(process.execPath, ['--input-type=module', '-e', inner]);
    expect(survivors).toEqual([expect.stringContaining(started)]);
  });

  it('is known to the run around it by its mark', async () => {
    const { child, exited } = startProcess('testkit/suite/suite.ts', {}, ['--chnaged']);
    const environment = await readFile(`/proc/${child.pid}/environ`, 'utf8');
    const { VOELGOED_TEST_COMMAND = 'not run by the suite' } = process.env;
    expect(environment.split('\0')).toContain(`VOELGOED_TEST_COMMAND=${VOELGOED_TEST_COMMAND}`);
    await exited;
  });

  it('says which argument it does not know, and does nothing', async () => {
    const { output, exited } = startProcess('testkit/suite/suite.ts', {}, ['--chnaged']);
    expect(await exited).toBe(1);
    expect(output()).toBe(
      'There is no --chnaged; there are --changed and --cluster.\n\n0 passed, 1 failed\n',
    );
  });
});
