import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { runSchedule } from './run.ts';
import { CLOCK_STEPS, FAULT_KINDS, STANDBY_FAULTS, scheduleOf } from './schedule.ts';
import { wordFor } from './seeds.ts';
import { shrink } from './shrink.ts';

const run = promisify(execFile);
/**
 * Always the same ones, so that a run is red again when it was red. `npm run simulate` and
 * `npm run nightly` play others, and longer ones; a seed that fails there joins the regressions.
 */
const FIRST_SEED = 1;
const SEEDS = 1_000;
const COMMANDS = 20;

type Summary = { schedules: number; faults: Record<string, number>; answers: object };

/** As anybody would call it. */
async function simulate(...args: readonly string[]): Promise<{ output: string; code: number }> {
  const file = 'testkit/simulate/simulate.ts';
  return run(process.execPath, [file, ...args], { maxBuffer: 64 * 1024 * 1024 }).then(
    ({ stdout }) => ({ output: stdout, code: 0 }),
    ({ stdout, code }) => ({ output: String(stdout), code }),
  );
}

async function withFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'voelgoed-simulate-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('any order of things and faults', () => {
  it(`keeps every promise for ${SEEDS} seeds, and meets everything`, {
    timeout: 10 * 60_000,
  }, async () => {
    const { summary, output } = await withFolder(async (folder) => {
      const json = join(folder, 'summary.json');
      const { output } = await simulate(
        ...['--first', `${FIRST_SEED}`, '--seeds', `${SEEDS}`, '--seconds', '0'],
        ...['--commands', `${COMMANDS}`, '--json', json],
      );
      return { output, summary: JSON.parse(await readFile(json, 'utf8')) as Summary };
    });
    console.info(output.slice(0, 2_000));
    expect(output).toContain('every promise was kept');
    expect(summary.schedules).toBe(SEEDS);
    const kinds = [...FAULT_KINDS, ...STANDBY_FAULTS, CLOCK_STEPS];
    expect(kinds.filter((kind) => !summary.faults[kind])).toEqual([]);
    const answers = Object.keys(summary.answers);
    const wanted = [
      ...['held', 'refused', 'extended', 'released', 'blocked', 'unblocked', 'again', 'checkout'],
      ...['payment_begun', 'outcome_unknown', 'event_busy', 'unavailable', 'connection_lost'],
    ];
    expect(wanted.filter((one) => !answers.includes(one))).toEqual([]);
  });

  it('loses nothing acknowledged when the synchronous standby takes over', async () => {
    let losses = 0;
    for (let seed = 0; seed < 24; seed++) {
      const mode = seed % 2 === 0 ? 'safety' : 'liveness';
      const schedule = scheduleOf(seed, mode, { standby: true, size: 80 });
      const { problems, world } = await runSchedule(schedule);
      expect(problems, `seed ${seed}, ${mode}`).toEqual([]);
      losses += world.database.lost.length;
    }
    // Commits that were visible and not acknowledged were lost: else there was nothing to see.
    expect(losses).toBeGreaterThan(3);
  });

  /** Two hundred wishes at the same moment: answers that nobody was ever told. */
  const CROWDED = 29;

  it('keeps every promise at the reference size, and comes as far as tickets', async () => {
    const answers = new Set<string>();
    for (const mode of ['safety', 'liveness'] as const) {
      for (const seed of [...Array(20).keys(), CROWDED]) {
        const { problems, world } = await runSchedule(scheduleOf(seed, mode));
        expect(problems, `seed ${seed}, ${mode}`).toEqual([]);
        for (const { attempts } of world.ops) {
          for (const { answer } of attempts) answers.add(wordFor(answer));
        }
      }
    }
    // With twenty commands hardly anybody comes so far.
    const wanted = ['sold', 'checkout_cancelled', 'ticket_ended', 'reseated'];
    expect(wanted.filter((one) => !answers.has(one))).toEqual([]);
  });

  it('lets event time pass as time does, whatever the clock is set to', async () => {
    const among = [CLOCK_STEPS, 'node is stopped', 'conflicts'] as const;
    let stepped = 0;
    for (const mode of ['safety', 'liveness'] as const) {
      for (let seed = 0; seed < 150; seed++) {
        const schedule = scheduleOf(seed, mode, { size: COMMANDS, among });
        const { problems, world } = await runSchedule(schedule);
        expect(problems, `seed ${seed}, ${mode}`).toEqual([]);
        if (world.database.clock.epoch > 0) stepped++;
      }
    }
    expect(stepped).toBeGreaterThan(100);
  });

  it('moves no event time when the clock is set and a standby takes over', async () => {
    let stepped = 0;
    for (let seed = 0; seed < 40; seed++) {
      const mode = seed % 2 === 0 ? 'safety' : 'liveness';
      const schedule = scheduleOf(seed, mode, { standby: true, steps: true, size: 60, among: [] });
      const { problems, world } = await runSchedule(schedule);
      expect(problems, `seed ${seed}, ${mode}`).toEqual([]);
      if (world.database.clock.epoch > 0) stepped++;
    }
    expect(stepped).toBeGreaterThan(20);
  });

  it('is the same order again with the same seed, to the last line of its story', async () => {
    for (const seed of [3, 4]) {
      const schedule = scheduleOf(seed, seed % 2 === 0 ? 'safety' : 'liveness', { size: 60 });
      const one = await runSchedule(schedule, { trace: true });
      const other = await runSchedule(schedule, { trace: true });
      expect(other.world.trace.lines).toEqual(one.world.trace.lines);
      expect(one.world.trace.lines.length).toBeGreaterThan(100);
    }
  });
});

/** What the simulator has found; each was a bug. */
describe('regressions', () => {
  it('Redis forgets what a killed node had not written, although others never rest', async () => {
    const { problems } = await runSchedule(scheduleOf(1_166, 'liveness', { standby: false }));
    expect(problems).toEqual([]);
  });

  it('a node that does not know the time takes a hold for over, and claims its seat', async () => {
    const schedule = scheduleOf(1_043_527_959, 'liveness', { size: 20, standby: false });
    expect((await runSchedule(schedule)).problems).toEqual([]);
  });

  it.each([
    [507_663_140, 'safety'],
    [507_682_103, 'liveness'],
    [507_712_195, 'liveness'],
  ] as const)('rows that were lost come late, beside those of a flush (%i)', async (seed, mode) => {
    const { problems } = await runSchedule(scheduleOf(seed, mode, { size: 20, standby: false }));
    expect(problems).toEqual([]);
  });

  it('rows that were lost come late, to a board that was loaded since', async () => {
    const schedule = scheduleOf(321_895_195, 'liveness', { size: 20, standby: false });
    expect((await runSchedule(schedule)).problems).toEqual([]);
  });

  it('an expiry of the last millisecond is on its way when everything is compared', async () => {
    const schedule = scheduleOf(133_403_581, 'liveness', { size: 20, standby: false });
    expect((await runSchedule(schedule)).problems).toEqual([]);
  });

  it('a commit is told of at the end of a flush that did not read it', async () => {
    const schedule = scheduleOf(507_619_249, 'liveness', { size: 20, standby: false });
    expect((await runSchedule(schedule)).problems).toEqual([]);
  });
});

describe('a failing seed', () => {
  it('is made smaller while it fails, and told in words', async () => {
    const off = new Set(['event lock', 'revision guard', 'change row key'] as const);
    const schedule = scheduleOf(0, 'safety');
    const { problems } = await runSchedule(schedule, { off });
    let runs = 0;
    const shrunk = await shrink(schedule, problems, { off, isOver: () => ++runs > 150 });
    expect(shrunk.problems).not.toEqual([]);
    expect(shrunk.schedule.commands.length).toBeLessThan(schedule.commands.length / 4);
    const { world } = await runSchedule(shrunk.schedule, { off, trace: true });
    const story = world.trace.lines.join('\n');
    expect(story).toMatch(/user \d .* asks node \d: .*"kind":"hold"/);
    expect(story).toMatch(/node \d +lock at/);
    expect(story).toMatch(/node \d +commit \d+ \(flush/);
  });

  it('is repeated by one command, which says what is broken and fails', async () => {
    const { output, code } = await simulate(
      ...['--seed', '2', '--mode', 'safety', '--without', 'idempotency in the commit'],
      ...['--trace'],
    );
    expect(code).toBe(1);
    expect(output).toContain('BROKEN: done twice');
    expect(output).toMatch(/commands and \d+ faults/);
  }, 180_000);
});
