/**
 * Host: what the place the client runs in gives it: requests, time, timers and chance. Browsers and
 * Node have the same ones. Everything else in this house takes a Host, so that a test can own the
 * time; nothing else here reads a clock or throws dice. It knows no server.
 */
export { type ManualHost, manualHost } from './manual-host.ts';
export { type Fetch, type Host, pause, systemHost } from './system-host.ts';
