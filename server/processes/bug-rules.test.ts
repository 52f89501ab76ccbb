import { OperatingError } from '@voelgoed/engine/kit';
import { expect, it } from 'vitest';
import { verdictOn } from './bug-rules.ts';

function bug(...frames: string[]): Error {
  const error = new Error('a bug');
  error.stack = ['Error: a bug', ...frames.map((frame) => `    at ${frame}`)].join('\n');
  return error;
}

const NODE = 'Immediate.<anonymous> (node:internal/timers:485:21)';
const FASTIFY = 'onSendEnd (/app/node_modules/fastify/lib/reply.js:602:3)';
const EDGE = 'sendAll (file:///app/server/http/outbox.ts:19:9)';
const ROUTE = 'async Object.handler (file:///app/server/routes/stream.ts:90:3)';

it.each([
  ['the runtime alone', bug(NODE)],
  ['the framework and the edge', bug(FASTIFY, EDGE, NODE)],
  ['a route', bug('new Promise (<anonymous>)', ROUTE, 'async Promise.all (index 0)')],
  ['a machine was in the way', new OperatingError('unavailable', 'gone', { retryable: true })],
])('%s: the node goes on', (_, error) => {
  expect(verdictOn(error)).toBe('goes on');
});

it.each([
  ['the engine', bug('apply (file:///app/engine/board/apply.ts:1:1)', EDGE, NODE)],
  ['a caller in the engine', bug(EDGE, 'async flush (file:///app/engine/registry/flush.ts:1:1)')],
  ['streams, whose state is of many clients', bug('wake (file:///app/server/stream/hub.ts:9:1)')],
  ['a driver, whose connections have state', bug('parse (/app/node_modules/pg/lib/client.js:1:1)')],
  ['a stack that was cut off', bug(...Array.from({ length: 10 }, () => EDGE))],
  ['no stack', bug()],
  ['no error', 'a text'],
])('%s: the node ends', (_, error) => {
  expect(verdictOn(error, 10)).toBe('ends');
});
