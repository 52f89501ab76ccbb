import type { Postgres } from '#postgres';
import type { Engine } from './change.ts';
import { readSharedClock, setSlewing, zeroDrift } from './clock.sql.ts';

type Tools = Pick<Engine, 'postgres'>;

export type Drift = Readonly<{
  epoch: number;
  /** The clock of the database minus event time. */
  drift_ms: number;
  slewing: boolean;
  changed_at: string;
}>;

/** How far the clock of the database is from event time, for the whole installation. */
export async function readDrift({ postgres }: Tools): Promise<Drift> {
  const [row] = await postgres.ask(null, readSharedClock());
  if (!row) return { epoch: 0, drift_ms: 0, slewing: false, changed_at: '' };
  return row;
}

/** Lets the drift go towards 0 by 1 %, or keeps what is left. False: another was faster. */
export async function slewDrift({ postgres }: Tools, isOn: boolean): Promise<boolean> {
  const { epoch, drift_ms } = await readDrift({ postgres });
  return changed(postgres, setSlewing(epoch, Math.round(drift_ms), isOn));
}

/** Event time is the database's clock again. False: another was faster, or it would run back. */
export async function removeDrift({ postgres }: Tools): Promise<boolean> {
  const { epoch, drift_ms } = await readDrift({ postgres });
  return drift_ms >= 0 && changed(postgres, zeroDrift(epoch));
}

async function changed(
  postgres: Postgres,
  statement: ReturnType<typeof setSlewing>,
): Promise<boolean> {
  const options = { name: 'clock.change', pool: 'jobs' } as const;
  const rows = await postgres.transaction(null, options, (one) => one.query(statement));
  return rows.length > 0;
}
