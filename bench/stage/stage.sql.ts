/** The process of Postgres that serves this connection. */
export const OWN_PROCESS = 'select pg_backend_pid()::text as pid';
