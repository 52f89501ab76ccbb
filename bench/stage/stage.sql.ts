/** The process of Postgres that serves this connection. */
export const OWN_PROCESS = 'select pg_backend_pid()::text as pid';

/** Those that serve anybody: not the ones that clean up after earlier runs. */
export const SERVING_PROCESSES = `select pid::text from pg_stat_activity
  where backend_type = 'client backend' and pid <> pg_backend_pid()`;
