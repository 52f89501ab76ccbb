/**
 * Leaks: what a test file must not leave behind. Loaded before every test file: it compares the
 * open sockets, servers and child processes of the worker before and after, and fails the file
 * that left some. Timers do not count: an idle pool has them.
 */

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

afterAll(async () => {
  const left = () => openHandles().slice(before);
  await eventually(() => left().length === 0, { within_ms: 3_000 }).catch(() => {
    throw new Error(`this test file leaves open: ${left().join(', ')}`);
  });
});
