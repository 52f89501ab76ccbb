/**
 * Leaks: what a test file must not leave behind. Loaded before every test file: it compares the
 * open sockets, servers and child processes of the worker before and after, and fails the file
 * that left some. Timers do not count: an idle pool has them.
 */

import { Socket } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import { eventually } from '#eventually';

const WATCHED = ['TCPSocketWrap', 'TCPServerWrap', 'PipeWrap', 'PipeServerWrap', 'ProcessWrap'];

function openHandles(): string[] {
  return process.getActiveResourcesInfo().filter((name) => WATCHED.includes(name));
}

let before = 0;

beforeAll(() => {
  before = openHandles().length;
});

/** Where open sockets lead, for whoever looks for the one that was forgotten. */
function socketsOpen(): string[] {
  const handles: unknown[] = '_getActiveHandles' in process ? activeHandles() : [];
  return handles
    .filter((one) => one instanceof Socket)
    .map((one) => `${one.localPort ?? '?'} to ${one.remotePort ?? '?'}`);
}

const activeHandles = (): unknown[] => Reflect.get(process, '_getActiveHandles').call(process);

afterAll(async () => {
  const left = () => openHandles().slice(before);
  // Longer than idle connections of a client live after their server went away.
  await eventually(() => left().length === 0, { within_ms: 10_000 }).catch(() => {
    const sockets = socketsOpen().join(', ');
    throw new Error(`this test file leaves open: ${left().join(', ')} (sockets: ${sockets})`);
  });
});
