import { statement } from '#postgres';

type Row = { epoch: number; drift_ms: number; slewing: boolean; changed_at: string };

/** What is left of the drift at this moment. */
export const readSharedClock = statement<Row, []>(
  'clock.look',
  `select c.epoch, round(extract(epoch from t.wall - t.event) * 1000)::bigint as drift_ms,
     c.slewing_since is not null as slewing,
     to_char(c.changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as changed_at
   from clock_state c, (select clock_timestamp() as wall, event_now() as event offset 0) t`,
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
