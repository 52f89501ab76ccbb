import { statement } from '#postgres';

type Row = { epoch: number; drift_ms: number; slewing: boolean; changed_at: string };

/**
 * What is left of the drift at this moment. By its own rule, not as the difference of two readings
 * of the clock: those are a moment apart, and no drift would be one of a millisecond.
 */
export const readSharedClock = statement<Row, []>(
  'clock.look',
  `select c.epoch, round(sign(c.drift_ms) * greatest(0, abs(c.drift_ms) - coalesce(
       greatest(0, extract(epoch from clock_timestamp() - c.slewing_since)) * 10, 0)))::bigint
       as drift_ms,
     c.slewing_since is not null as slewing,
     to_char(c.changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as changed_at
   from clock_state c`,
);

export const setSlewing = statement<
  { epoch: number },
  [epoch: number, drift_ms: number, slewing: boolean]
>(
  'clock.slew',
  `update clock_state set epoch = epoch + 1, drift_ms = $2, changed_at = clock_timestamp(),
     slewing_since = case when $3 then clock_timestamp() end
   where epoch = $1 returning epoch`,
);

export const zeroDrift = statement<{ epoch: number }, [epoch: number]>(
  'clock.remove',
  `update clock_state set epoch = epoch + 1, drift_ms = 0, jumps = jumps + 1,
     changed_at = clock_timestamp(), slewing_since = null
   where epoch = $1 returning epoch`,
);
