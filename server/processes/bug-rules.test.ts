import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { OperatingError } from '@voelgoed/engine/kit';
import { expect, it } from 'vitest';
import { verdictOn } from './bug-rules.ts';

/** Where the product is installed: the frames below are of there. */
const root = '/app/';

function bug(...frames: string[]): Error {
  const error = new Error('a bug');
  error.stack = ['Error: a bug', ...frames.map((frame) => `    at ${frame}`)].join('\n');
  return error;
}

const NODE = 'Immediate.<anonymous> (node:internal/timers:485:21)';
const FASTIFY = 'onSendEnd (/app/node_modules/fastify/lib/reply.js:602:3)';
const EDGE = 'sendAll (file:///app/server/http/outbox.ts:19:9)';
const HERE = 'at.once (/app/server/site/files.ts:9:1)';
const ROUTE = 'async Object.handler (file:///app/server/routes/stream.ts:90:3)';

function systemError(syscall: string, ...frames: string[]): Error {
  return Object.assign(bug(...frames, NODE), { syscall });
}

it.each([
  ['the runtime alone', bug(NODE)],
  ['the framework and the edge', bug(FASTIFY, EDGE, HERE, NODE)],
  ['a route', bug('new Promise (<anonymous>)', ROUTE, 'async Promise.all (index 0)')],
  [
    'a function without a name',
    bug('file:///app/server/http/bare.ts:1:1', 'async /app/server/site/a.ts:1:1'),
  ],
  ['a file that is not there', systemError('open', EDGE)],
  ['a machine was in the way', new OperatingError('unavailable', 'gone', { retryable: true })],
])('%s: the node goes on', (_, error) => {
  expect(verdictOn(error, { root })).toBe('goes on');
});

it.each([
  ['the engine', bug('apply (file:///app/engine/board/apply.ts:1:1)', EDGE, NODE)],
  ['a caller in the engine', bug(EDGE, 'async flush (file:///app/engine/registry/flush.ts:1:1)')],
  ['streams, whose state is of many clients', bug('wake (file:///app/server/stream/hub.ts:9:1)')],
  ['a driver, whose connections have state', bug('parse (/app/node_modules/pg/lib/client.js:1:1)')],
  ['a stack that was cut off', bug(...Array.from({ length: 10 }, () => EDGE))],
  ['a system call outside of HTTP', systemError('connect')],
  ['a module of another product', bug('a (file:///srv/server/http/outbox.ts:19:9)', NODE)],
  ['a framework that is not ours', bug('a (/srv/node_modules/fastify/lib/reply.js:602:3)')],
  ['a folder of that name in the engine', bug('a (/app/engine/server/http/a.ts:1:1)')],
  ['no stack', bug()],
  ['no error', 'a text'],
])('%s: the node ends', (_, error) => {
  expect(verdictOn(error, { root, limit: 10 })).toBe('ends');
});

it('a product in a folder with the name of stateless code has an engine all the same', () => {
  const root = '/srv/server/site/';
  const frame = (path: string) => bug(`apply (file://${root}${path}:1:1)`, NODE);
  expect(verdictOn(frame('engine/board/apply.ts'), { root })).toBe('ends');
  expect(verdictOn(frame('server/routes/stream.ts'), { root })).toBe('goes on');
});

it('a path with a space is read', () => {
  const error = bug('a (file:///my%20app/server/routes/a.ts:1:1)');
  expect(verdictOn(error, { root: '/my app/' })).toBe('goes on');
});

it('a connection that was refused is one of a driver: the node ends', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const [error] = await once(connect(port, '127.0.0.1'), 'error').catch((one) => [one]);
  expect(error).toMatchObject({ code: 'ECONNREFUSED', syscall: 'connect' });
  expect(verdictOn(error)).toBe('ends');
});

it('what is thrown here is below the root, and not stateless', () => {
  const error = new Error('a bug');
  error.stack = error.stack?.split('\n').slice(0, 2).join('\n') ?? '';
  expect(verdictOn(error)).toBe('ends');
  error.stack = error.stack.replaceAll('server/processes/', 'server/http/');
  expect(verdictOn(error)).toBe('goes on');
});
