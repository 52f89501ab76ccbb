import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { isAnswered, outbox, sendTogether } from './outbox.ts';

const NAMES = ['a', 'b', 'c'];

/** Whose answer was ready and whose had left, in the order in which that was so. */
async function orderOf(isTogether: boolean): Promise<string[]> {
  const http = Fastify();
  const order: string[] = [];
  http.addHook('onSend', async (request) => void order.push(`${request.url} is ready`));
  if (isTogether) sendTogether(http, outbox());
  http.addHook('onResponse', async (request) => void order.push(`${request.url} has left`));
  http.get('/:name', async ({ url }) => {
    // Later than the one before, and in the same turn of the loop.
    const steps = 50 * NAMES.indexOf(url.slice(1));
    for (let step = 0; step < steps; step++) await new Promise<void>(process.nextTick);
    return { url };
  });
  await http.ready();
  const replies = await Promise.all(NAMES.map((name) => http.inject(`/${name}`)));
  expect(replies.map((reply) => reply.json())).toEqual(NAMES.map((name) => ({ url: `/${name}` })));
  await http.close();
  return order;
}

it('answers of one turn leave at its end, in their order', async () => {
  const together = ['is ready', 'has left'].flatMap((how) =>
    NAMES.map((name) => `/${name} ${how}`),
  );
  expect(await orderOf(true)).toEqual(together);
});

it('without it each leaves as soon as it is ready (control)', async () => {
  const [first, second] = await orderOf(false);
  expect([first, second]).toEqual(['/a is ready', '/a has left']);
});

it('the first answer counts, whole: a second one changes nothing of it', async () => {
  const http = Fastify();
  sendTogether(http, outbox());
  http.get('/', (_request, reply) => {
    reply.code(503).header('retry-after', '1').send({ error: 'unavailable' });
    expect(isAnswered(reply)).toBe(true);
    reply.code(201).header('location', '/there').header('retry-after', '9').send({ ok: true });
  });
  const { statusCode, headers, body } = await http.inject('/');
  expect([statusCode, body]).toEqual([503, '{"error":"unavailable"}']);
  expect(headers).toMatchObject({ 'retry-after': '1' });
  expect(headers).not.toHaveProperty('location');
  await http.close();
});

it('an answer that fails leaves as well', async () => {
  const http = Fastify();
  sendTogether(http, outbox());
  http.get('/', async () => {
    throw new Error('no');
  });
  expect((await http.inject('/')).statusCode).toBe(500);
  await http.close();
});

it('one that breaks takes nobody with it', async () => {
  const broken = new Promise((caught) => process.once('uncaughtException', caught));
  const others = process.rawListeners('uncaughtException').slice(0, -1) as (() => void)[];
  for (const one of others) process.off('uncaughtException', one);
  const sent: string[] = [];
  const send = outbox();
  send(() => sent.push('a'));
  send(() => {
    throw new Error('a bug');
  });
  await new Promise<void>((left) => {
    send(() => sent.push('b'));
    send(left);
  });
  for (const one of others) process.on('uncaughtException', one);
  expect(await broken).toMatchObject({ message: 'a bug' });
  expect(sent).toEqual(['a', 'b']);
});
