import { type Engine, readDrift, removeDrift, slewDrift } from '@voelgoed/engine/workflows';
import type { Command } from 'commander';
import { Failure } from './failures.ts';
import type { Session } from './session.ts';

/** Event time and the clock of the database: how far apart, and how they come together again. */
export function registerClock(program: Command, session: Session): void {
  program
    .command('clock [action]')
    .description('show the drift of event time; slew: by 1 % towards 0, stop, remove: at once')
    .option('--yes', 'remove without asking')
    .action((action: string | undefined, options: { yes?: boolean }, command: Command) =>
      session.engine(async (engine) => {
        if (action === undefined) return show(engine, session, command);
        if (action === 'slew') await change(() => slewDrift(engine, true));
        else if (action === 'stop') await change(() => slewDrift(engine, false));
        else if (action === 'remove') await remove(engine, session, options.yes);
        else throw new Failure('usage', `${action} is none of slew, stop, remove`);
        await show(engine, session, command);
      }),
    );
}

async function show(engine: Engine, session: Session, command: Command): Promise<void> {
  const drift = await readDrift(engine);
  session.result(command, drift, sentence(drift));
}

function sentence({
  drift_ms,
  slewing,
  changed_at,
}: Awaited<ReturnType<typeof readDrift>>): string {
  if (drift_ms === 0) return 'Event time is the time of the database: there is no drift.';
  const apart = `${(Math.abs(drift_ms) / 1_000).toFixed(1)} s`;
  const side = drift_ms > 0 ? 'ahead of' : 'behind';
  const goes = slewing
    ? `it goes away by 1 %, in about ${(Math.abs(drift_ms) / 36_000).toFixed(1)} hours`
    : 'it stays until "clock slew" or "clock remove"';
  const since = `${changed_at} (UTC)`;
  return `The clock of the database is ${apart} ${side} event time since ${since}; ${goes}.`;
}

async function remove(engine: Engine, session: Session, yes: boolean | undefined): Promise<void> {
  const { drift_ms } = await readDrift(engine);
  if (drift_ms < 0) {
    const why = 'Event time is ahead of the clock and never runs backwards: use "clock slew".';
    throw new Failure('refused', why);
  }
  const seconds = Math.ceil(drift_ms / 1_000);
  await session.confirm(yes, `Every hold with less than ${seconds} s left ends at once`);
  await change(() => removeDrift(engine));
}

async function change(work: () => Promise<boolean>): Promise<void> {
  if (await work()) return;
  throw new Failure(
    'refused',
    'A node has set the drift at this moment; look at it and try again.',
  );
}
