import { expect, it } from 'vitest';
import { outbox } from './outbox.ts';

it('what is given in one turn leaves at its end, in its order', async () => {
  const order: string[] = [];
  const send = outbox();
  await new Promise<void>((left) => {
    for (const name of ['a', 'b']) send(() => order.push(`${name} has left`));
    send(left);
    order.push('all are ready');
  });
  expect(order).toEqual(['all are ready', 'a has left', 'b has left']);
});

it('one that breaks keeps none of the others back', async () => {
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
