import { SeatingError } from '@voelgoed/client/client';
import { eventually } from '@voelgoed/testkit/eventually';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

/** Nothing is drawn here: what is kept for drawing is a value like any other. */
beforeAll(() => {
  const keep = <Value>(value: Value) => value;
  vi.stubGlobal('$state', Object.assign(keep, { raw: keep }));
});
afterAll(() => void vi.unstubAllGlobals());

async function newFriends() {
  const { Friends } = await import('./friends.svelte.ts');
  return new Friends(() => 'me');
}

function nameless(): SeatingError {
  return new SeatingError('zone_access_denied', {
    message: 'Please say for whom.',
    details: { unnamed: 1 },
    status: 403,
    request_id: null,
    retry_after_ms: null,
    route: 'POST /api/events/:event_id/holds',
    attempts: 1,
  });
}

/** A zone that asks for whom each place is. */
const seat = (label: string) => async (people: readonly string[]) => {
  if (people.length === 0) throw nameless();
  return `${label} for ${people.join(', ')}`;
};

it('two questions at once are asked one after the other, and both are answered', async () => {
  const friends = await newFriends();
  const isAsked = () => eventually(async () => friends.needed !== null);
  const answers = Promise.all([friends.name(1, seat('A-1')), friends.name(1, seat('A-2'))]);
  await isAsked();
  friends.say(['ann']);
  await eventually(async () => !friends.isBusy);
  await isAsked();
  friends.say(['ben']);
  expect(await answers).toEqual(['A-1 for ann', 'A-2 for ben']);
  expect(friends.needed).toBe(null);
});

it('a question that is given up and a hold that fails do not stop the next', async () => {
  const friends = await newFriends();
  const first = friends.name(1, seat('A-1'));
  const second = friends.name(1, () => Promise.reject(new Error('sold')));
  const third = friends.name(1, seat('A-3'));
  const isSold = expect(second).rejects.toThrow('sold');
  await eventually(async () => friends.needed !== null);
  friends.giveUp();
  expect(await first).toBe(null);
  await isSold;
  await eventually(async () => friends.needed !== null);
  friends.say(['cas']);
  expect(await third).toBe('A-3 for cas');
});

it('who was named before is not asked for again', async () => {
  const friends = await newFriends();
  expect(await friends.name(2, seat('A-1'), ['ann'])).toBe('A-1 for ann');
});
