import { describe, expect, it } from 'vitest';
import { createClient, type Failure, outcomeOf, type SeatingOptions } from '#client';
import { type Fetch, manualHost } from '#host';

type Answer = Readonly<{ status?: number; error?: string; headers?: Record<string, string> }>;
type Asked = Readonly<{ url: string; method: string; headers: Record<string, string> }>;

/** A server that answers as it was told, in this order; the last answer stands for all others. */
function aServer(...answers: (Answer | 'lost' | 'silent' | ((request: Asked) => Answer))[]) {
  const asked: Asked[] = [];
  const fetch: Fetch = (url, request) => {
    const seen = { url, method: request.method ?? '', headers: request.headers as never };
    asked.push(seen);
    const given = answers[Math.min(asked.length, answers.length) - 1] ?? {};
    if (given === 'lost') return Promise.reject(new TypeError('fetch failed'));
    if (given === 'silent') {
      return new Promise((_, reject) => {
        request.signal?.addEventListener('abort', () => reject(new Error('aborted')));
      });
    }
    const { status = 200, error, headers = {} } = typeof given === 'function' ? given(seen) : given;
    const refusal = { error, message: 'no', details: {}, request_id: 'r-1' };
    const body = error ? refusal : { data: { ok: true } };
    return Promise.resolve(Response.json(body, { status, headers }));
  };
  return { asked, fetch };
}

function aClient(server: { fetch: Fetch }, options: Partial<SeatingOptions> = {}) {
  const host = manualHost({ fetch: server.fetch });
  return { host, client: createClient({ address: 'http://server/', host, ...options }) };
}

/** Lets so much time pass, and tells how the call ended meanwhile. */
async function after<Answer>(
  host: { advance(time_ms: number): Promise<void> },
  time_ms: number,
  call: Promise<Answer>,
): Promise<Failure | Answer | 'pending'> {
  const ended = outcomeOf(call).then((one) => (one.ok ? one.answer : one.failure));
  await host.advance(time_ms);
  return Promise.race([ended, Promise.resolve('pending' as const)]);
}

const BUSY: Answer = { status: 503, error: 'event_busy' };

describe('a call that fails', () => {
  it('is tried again with the same key, later each time, and then told', async () => {
    const server = aServer(BUSY);
    const { host, client } = aClient(server);
    const failure = await after(host, 1_399, client.holds.reserve('e', 's'));
    expect(failure).toBe('pending');
    const told = await after(host, 5, client.holds.extend('h'));
    expect(told).toBe('pending');
    const reserve = server.asked.filter(({ url }) => url.endsWith('/reserve'));
    expect(reserve.length).toBe(4);
    expect(new Set(reserve.map(({ headers }) => headers['idempotency-key']))).toEqual(
      new Set(['key-1']),
    );
  });

  it('outlives the page that made it, when that is asked for and not otherwise', async () => {
    const kept: unknown[] = [];
    const fetch: Fetch = (_, request) => {
      kept.push(request.keepalive);
      return Promise.resolve(Response.json({ data: {} }));
    };
    const { host, client } = aClient({ fetch });
    await after(host, 0, client.holds.extend('h', { keepalive: true }));
    await after(host, 0, client.holds.extend('h'));
    expect(kept).toEqual([true, undefined]);
  });

  it('is told with everything that is known about it', async () => {
    const { host, client } = aClient(aServer(BUSY));
    const failure = await after(host, 2_000, client.holds.reserve('e', 's'));
    expect(failure).toMatchObject({
      name: 'SeatingError',
      code: 'event_busy',
      status: 503,
      attempts: 4,
      request_id: 'r-1',
      route: 'POST /api/events/:event_id/seats/:seat_id/reserve',
    });
  });

  it.each(['outcome_unknown', 'overloaded', 'unavailable', 'rate_limited', 'event_busy'])(
    'succeeds the second time after %s',
    async (error) => {
      const server = aServer({ status: 503, error }, {});
      const { host, client } = aClient(server);
      expect(await after(host, 300, client.holds.extend('h'))).toEqual({ ok: true });
      expect(server.asked.length).toBe(2);
    },
  );

  it.each([
    ['seat_not_available', 409],
    ['internal', 500],
    ['invalid_request', 400],
    ['forbidden', 403],
  ])('is not tried again after %s, which would be the same next time', async (error, status) => {
    const server = aServer({ status, error });
    const { host, client } = aClient(server);
    expect(await after(host, 10_000, client.holds.extend('h'))).toMatchObject({ code: error });
    expect(server.asked.length).toBe(1);
  });

  it('is tried again when the connection broke or a proxy answers for the server', async () => {
    const fetch: Fetch = () => Promise.resolve(new Response('<h1>Bad gateway', { status: 502 }));
    const lost = aServer('lost', {});
    const first = aClient(lost);
    expect(await after(first.host, 300, first.client.events.get('e'))).toEqual({ ok: true });
    const second = aClient({ fetch });
    expect(await after(second.host, 5_000, second.client.events.get('e'))).toMatchObject({
      code: 'unreadable',
      status: 502,
      attempts: 4,
      details: { text: '<h1>Bad gateway' },
    });
  });

  it('waits as the server asks and a little more, unless there is no such time', async () => {
    const patient = aServer({ ...BUSY, headers: { 'retry-after': '7' } }, {});
    const { host, client } = aClient(patient);
    const call = client.holds.extend('h');
    expect(await after(host, 7_199, call)).toBe('pending');
    expect(await after(host, 1, call)).toEqual({ ok: true });
    const long = aServer({ status: 429, error: 'rate_limited', headers: { 'retry-after': '60' } });
    const other = aClient(long);
    expect(await after(other.host, 0, other.client.holds.extend('h'))).toMatchObject({
      code: 'rate_limited',
      retry_after_ms: 60_000,
      attempts: 1,
    });
  });
});

describe('a call that cannot be made', () => {
  it('is a mistake and no failure of the network, and nobody is asked', async () => {
    const server = aServer({});
    const { host, client } = aClient(server);
    const call = client.holds.reserve('e', '');
    await expect(call).rejects.toThrow(TypeError);
    expect([server.asked.length, host.waiting()]).toEqual([0, 0]);
  });

  it('as a method of somebody is made as a function, as browsers want it', async () => {
    const owners: unknown[] = [];
    const fetch = async function (this: unknown) {
      owners.push(this);
      return Response.json({ data: {} });
    };
    const { host, client } = aClient({ fetch });
    await after(host, 0, client.events.get('e'));
    expect(owners).toEqual([undefined]);
  });
});

describe('those who were told the same time to wait', () => {
  it('do not come back at the same moment', async () => {
    const times: number[] = [];
    for (const chance of [0, 0.5, 1]) {
      const server = aServer({ ...BUSY, headers: { 'retry-after': '1' } }, {});
      const host = manualHost({ fetch: server.fetch, random: () => chance });
      const client = createClient({ address: 'http://server', host });
      const call = client.holds.extend('h').then(() => times.push(host.monotonic()));
      await host.advance(2_000);
      await call;
    }
    expect(times).toEqual([1_100, 1_150, 1_200]);
  });
});

describe('the budget', () => {
  it('keeps a client from hammering a server that refuses everything', async () => {
    const server = aServer(BUSY);
    const { host, client } = aClient(server);
    for (let call = 0; call < 100; call++) {
      await after(host, 10, client.holds.extend('h'));
    }
    await host.advance(5_000);
    // A hundred calls, ten retries, and what has come back in six seconds.
    expect(server.asked.length).toBeGreaterThanOrEqual(110);
    expect(server.asked.length).toBeLessThanOrEqual(112);
    expect(client.retryBudget()).toBeLessThan(2);
  });

  it('comes back with time, and with calls that go well', async () => {
    let isUp = false;
    const server = aServer(() => (isUp ? {} : BUSY));
    const { host, client } = aClient(server, { retries: { budget: 2 } });
    await after(host, 2_000, client.holds.extend('h'));
    expect(client.retryBudget()).toBeLessThan(1);
    await host.advance(5_000);
    expect(client.retryBudget()).toBeGreaterThan(1);
    isUp = true;
    const before = client.retryBudget();
    await after(host, 0, client.holds.extend('h'));
    expect(client.retryBudget()).toBeCloseTo(before + 0.1);
  });

  it('without it every call would be made four times', async () => {
    const server = aServer(BUSY);
    const { host, client } = aClient(server, { retries: { budget: 1_000 } });
    for (let call = 0; call < 100; call++) await after(host, 10, client.holds.extend('h'));
    await host.advance(5_000);
    expect(server.asked.length).toBe(400);
  });
});

describe('time', () => {
  it('ends a call after 30 seconds with all its retries', async () => {
    const server = aServer('silent');
    const { host, client } = aClient(server);
    const call = client.holds.extend('h');
    expect(await after(host, 29_999, call)).toBe('pending');
    expect(await after(host, 1, call)).toMatchObject({ code: 'timeout', status: 0 });
    expect(server.asked.length).toBe(3);
    expect(host.waiting()).toBe(0);
  });

  it('is given to one call as it wants', async () => {
    const { host, client } = aClient(aServer('silent'));
    const failure = await after(host, 500, client.events.get('e', { timeout_ms: 500 }));
    expect(failure).toMatchObject({ code: 'timeout', attempts: 1 });
  });

  it('is longer for routes that do a lot', async () => {
    const server = aServer('silent');
    const { host, client } = aClient(server);
    const call = client.planning.publish('e');
    expect(await after(host, 89_999, call)).toBe('pending');
    expect(await after(host, 1, call)).toMatchObject({ code: 'timeout' });
    expect(server.asked.length).toBe(2);
  });

  it('is over when the caller says so, also between two attempts', async () => {
    for (const answer of ['silent', BUSY] as const) {
      const server = aServer(answer);
      const { host, client } = aClient(server);
      const giveUp = new AbortController();
      const call = client.holds.extend('h', { signal: giveUp.signal });
      expect(await after(host, 50, call)).toBe('pending');
      giveUp.abort();
      expect(await after(host, 0, call)).toMatchObject({ code: 'aborted' });
      expect(host.waiting()).toBe(0);
    }
  });
});

describe('keys', () => {
  it('are new for each change, or the caller’s own, and absent when reading', async () => {
    const server = aServer({});
    const { host, client } = aClient(server);
    await after(host, 0, client.holds.extend('h'));
    await after(host, 0, client.holds.extend('h'));
    await after(host, 0, client.holds.extend('h', { key: 'mine' }));
    await after(host, 0, client.events.get('e'));
    const keys = server.asked.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual(['key-1', 'key-2', 'mine', undefined]);
  });
});

describe('a token', () => {
  const guarded = (good: () => string) =>
    aServer(({ headers }) =>
      headers.authorization === `Bearer ${good()}` ? {} : { status: 401, error: 'unauthorized' },
    );

  it('that is refused is replaced by one new one for all calls, with the same key', async () => {
    const server = guarded(() => 'new');
    const reasons: string[] = [];
    let token = 'old';
    const give = async (reason: string) => {
      reasons.push(reason);
      if (reason === 'refused') token = 'new';
      return token;
    };
    const { host, client } = aClient(server, { token: give });
    const calls = Promise.all([client.holds.extend('a'), client.holds.extend('b')]);
    expect(await after(host, 0, calls)).toEqual([{ ok: true }, { ok: true }]);
    expect(reasons.filter((reason) => reason === 'refused').length).toBe(1);
    const keys = server.asked.map(({ headers }) => headers['idempotency-key']);
    expect(keys.length).toBe(4);
    expect(new Set(keys).size).toBe(2);
  });

  it('that stays bad is told as such, after one try more', async () => {
    const server = guarded(() => 'another');
    const { host, client } = aClient(server, { token: (why) => `bad ${why}` });
    const failure = await after(host, 5_000, client.holds.extend('h'));
    expect(failure).toMatchObject({ code: 'unauthorized', status: 401 });
    expect(server.asked.length).toBe(2);
    const fixed = aServer({ status: 401, error: 'unauthorized' });
    const other = aClient(fixed, { token: 'fixed' });
    await after(other.host, 0, other.client.holds.extend('h'));
    expect(fixed.asked.length).toBe(1);
  });

  it('that never comes, or a new one that never does, ends with the time of the call', async () => {
    const never = new Promise<string>(() => {});
    const hanging = aClient(aServer({}), { token: () => never });
    const call = hanging.client.holds.extend('h');
    expect(await after(hanging.host, 29_999, call)).toBe('pending');
    expect(await after(hanging.host, 1, call)).toMatchObject({ code: 'timeout', attempts: 1 });
    const server = guarded(() => 'new');
    const token = (why: string) => (why === 'refused' ? never : 'old');
    const { host, client } = aClient(server, { token });
    const giveUp = new AbortController();
    const other = client.holds.extend('h', { signal: giveUp.signal });
    expect(await after(host, 50, other)).toBe('pending');
    giveUp.abort();
    expect(await after(host, 0, other)).toMatchObject({ code: 'aborted' });
    expect(host.waiting()).toBe(0);
  });

  it('of one call is another than that of the client', async () => {
    const server = aServer({});
    const { host, client } = aClient(server, { token: 'usual' });
    await after(host, 0, client.events.get('e', { token: 'special' }));
    await after(host, 0, client.events.get('e', { token: null }));
    expect(server.asked.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer special',
      undefined,
    ]);
  });
});

describe('what is observed', () => {
  it('is each call with its attempts', async () => {
    const seen: unknown[] = [];
    const server = aServer('lost', { headers: { 'idempotent-replayed': 'true' } });
    const { host, client } = aClient(server, { observe: (one) => seen.push(one) });
    await after(host, 300, client.holds.extend('h'));
    expect(seen).toMatchObject([
      { route: 'POST /api/holds/:hold_id/extend', status: 200, attempts: 2, replayed: true },
    ]);
  });

  it('changes nothing when the observer fails', async () => {
    const observe = () => {
      throw new Error('the observer’s own');
    };
    const { host, client } = aClient(aServer({}), { observe });
    expect(await client.holds.extend('h')).toEqual({ ok: true });
    await expect(host.advance(0)).rejects.toThrow('the observer’s own');
  });
});
