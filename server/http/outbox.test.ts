import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { sendTogether } from './outbox.ts';

it('answers of one turn leave in it, one after the other and each with what it says', async () => {
  const http = Fastify();
  sendTogether(http);
  const told: string[] = [];
  http.addHook('onResponse', async (request) => void told.push(request.url));
  http.get('/:name', async (request) => ({ name: (request.params as { name: string }).name }));
  http.get('/fails', async () => {
    throw new Error('no');
  });
  const names = ['a', 'b', 'c'];
  const replies = await Promise.all([
    ...names.map((name) => http.inject(`/${name}`)),
    http.inject('/fails'),
  ]);
  expect(replies.slice(0, 3).map((reply) => reply.json())).toEqual(names.map((name) => ({ name })));
  expect(replies[3]?.statusCode).toBe(500);
  expect(told).toEqual(['/a', '/b', '/c', '/fails']);
  await http.close();
});
