import { obey } from '#children';
import { Listeners } from './listeners.ts';

export type ListenMessage =
  | Readonly<{ kind: 'open'; url: string; count: number }>
  | Readonly<{ kind: 'take' }>
  | Readonly<{ kind: 'close' }>;

let listeners = new Listeners();

obey<ListenMessage>(async (message) => {
  if (message.kind === 'open') return listeners.open(message.url, message.count);
  if (message.kind === 'take') return listeners.take();
  listeners.close();
  listeners = new Listeners();
  return null;
});
