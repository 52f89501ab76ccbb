import { tracingChannel } from 'node:diagnostics_channel';
import { connect } from 'node:net';
import { newId } from '@voelgoed/testkit/builders';
import { eventually } from '@voelgoed/testkit/eventually';
import { testServices } from '@voelgoed/testkit/services';
import { useShows } from '@voelgoed/testkit/shows';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signToken } from '#tokens';

const ORIGIN = 'https://shop.example';
const { ask, buyer, database, node, scope, show } = useShows({
  CORS_ORIGINS: ORIGIN,
  TRUSTED_PROXIES: '127.0.0.1',
});

/** Which routes the framework was asked for: whoever is refused before it leaves nothing here. */
const handled: string[] = [];
const channel = tracingChannel('fastify.request.handler');
const listener = { start: (message: unknown) => void handled.push(pathOf(message)) };
const pathOf = (message: unknown) => (message as { request: { url: string } }).request.url;
beforeAll(() => channel.subscribe(listener as never));
afterAll(() => channel.unsubscribe(listener as never));
beforeEach(() => void handled.splice(0));

type Said = Readonly<{ status: number; headers: Record<string, string>; body: unknown }>;

/**
 * Sends the first piece, the others once its head has been seen, and reads so many answers of one
 * connection.
 */
function exchange(pieces: readonly string[], answers = 1): Promise<Said[]> {
  const { hostname, port } = new URL(node().address);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    socket.once('error', reject);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
      const said = answersIn(text);
      if (said.length < answers) return;
      socket.destroy();
      resolve(said);
    });
    const [first = '', ...others] = pieces;
    // The rest follows when the head has been seen.
    if (others.length > 0) {
      node().http.server.once('request', () => void socket.write(others.join('')));
    }
    socket.write(first);
  });
}

function answersIn(text: string): Said[] {
  const said: Said[] = [];
  for (let rest = text; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) break;
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => {
        const [name = '', ...value] = line.split(': ');
        return [name.toLowerCase(), value.join(': ')];
      }),
    );
    const length = Number(headers['content-length']);
    const body = rest.slice(end + 4, end + 4 + length);
    if (body.length < length) break;
    said.push({ status: Number(first.slice(9, 12)), headers, body: JSON.parse(body) });
    rest = rest.slice(end + 4 + length);
  }
  return said;
}

type Wish = {
  token: string;
  event: string;
  seat: string;
  path?: string;
  headers?: object;
  body?: string;
};

function requestFor({ token, event, seat, path, headers = {}, ...rest }: Wish): string {
  const { body = '{"source":"web"}' } = rest;
  const url = path ?? `/api/events/${event}/seats/${seat}/reserve`;
  const lines = {
    host: 'x',
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': body.length,
    ...headers,
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${url} HTTP/1.1\r\n${head.join('')}\r\n${body}`;
}

async function reserve(wish: Wish): Promise<Said> {
  const [said] = await exchange([requestFor(wish)]);
  if (!said) throw new Error('there was no answer');
  return said;
}

/** Says more about the body than is needed, which the framework understands. */
const USUAL = { 'content-type': 'application/json; charset=utf-8' };

/** A hall whose first seat is held, and somebody who is known and has nothing. */
async function aTakenSeat() {
  const { eventId: event, seats } = await show();
  const [seat = '', free = '', third = ''] = seats;
  const [ann, bob] = [buyer(), buyer()];
  expect((await ann.reserve(event, seat)).status).toBe(201);
  await bob.ask(`GET /api/events/${event}/holds`);
  handled.splice(0);
  return { event, seat, free, third, ann, bob, wish: { token: bob.token, event, seat } };
}

/** What differs between any two answers is left out. */
function comparable({ status, headers, body }: Said) {
  const { date: _date, 'x-request-id': id, ...rest } = headers;
  // A second may have passed between the two.
  const text = JSON.stringify(body).replaceAll(/(?<="expires_in_seconds":)\d+/g, '0');
  const { request_id, ...said } = JSON.parse(text) as { request_id: string };
  expect(request_id).toBe(id);
  expect(request_id).toMatch(/^[0-9a-f-]{36}$/);
  return { status, headers: rest, body: said };
}

describe('a seat that somebody has', () => {
  it.each([
    ['no page', {}],
    ['a page of ours', { origin: ORIGIN }],
    ['a page of somebody else', { origin: 'https://other.example' }],
    ['somebody who hangs up', { connection: 'close' }],
  ])('is refused before the framework is asked, letter by letter alike: %s', async (_, from) => {
    const { wish, event, third } = await aTakenSeat();
    await ask(`POST /api/admin/events/${event}/seats/block`, {
      body: { seat_ids: [third], reason: 'broken' },
    });
    await reserve({ ...wish, seat: third, headers: USUAL });
    for (const seat of [wish.seat, third]) {
      handled.splice(0);
      const quick = await reserve({ ...wish, seat, headers: from });
      expect(handled).toEqual([]);
      const usual = await reserve({ ...wish, seat, headers: { ...USUAL, ...from } });
      expect(handled).toHaveLength(1);
      expect(quick.status).toBe(409);
      expect(comparable(quick)).toEqual(comparable(usual));
    }
  });

  it('is refused so without a body, which is an empty one', async () => {
    const { wish } = await aTakenSeat();
    const quick = await reserve({ ...wish, body: '' });
    expect([quick.status, handled]).toEqual([409, []]);
  });

  it('counts and is written down as any other refusal', async () => {
    const { wish, event } = await aTakenSeat();
    const counted = async () => {
      const text = await (await fetch(`${node().address}/metrics`)).text();
      const names = ['hold_attempt', 'hold_conflict', 'hold_refused_fast', 'refusals'];
      const pattern = `^voelgoed_(?:${names.join('|')})_total(?:\\{[^}]*\\})? \\d+$`;
      const requests = /^voelgoed_http_request_seconds_count\{.*reserve".*\} \d+$/gm;
      const all = [...text.matchAll(new RegExp(pattern, 'gm')), ...text.matchAll(requests)];
      return new Map(all.map(([line]) => line.split(/ (?=\d+$)/) as [string, string]));
    };
    const addedBy = async (headers: object) => {
      const before = await counted();
      await reserve({ ...wish, headers });
      // The usual way is counted when the answer has left.
      await eventually(async () => (await counted()).size >= before.size);
      const added: Record<string, number> = {};
      await eventually(async () => {
        for (const [name, value] of await counted()) {
          const more = Number(value) - Number(before.get(name) ?? 0);
          if (more > 0) added[name] = more;
        }
        return Object.keys(added).some((name) => name.includes('http_request'));
      });
      return added;
    };
    await reserve({ ...wish, headers: USUAL });
    const quick = await addedBy({});
    expect(Object.keys(quick).length).toBeGreaterThan(4);
    expect(quick).toEqual(await addedBy(USUAL));
    const refused = () =>
      database.asSuperuser('select sum(times)::int as times from refusal_log where event_id = $1', [
        event,
      ]);
    await eventually(async () => (await refused())[0]?.times === 3);
  });

  it('does not end a connection: those who come after it are answered in order', async () => {
    const { wish, free } = await aTakenSeat();
    const wishes = [wish, { ...wish, seat: free }, wish, wish];
    const said = await exchange([wishes.map(requestFor).join('')], 4);
    expect(said.map(({ status }) => status)).toEqual([409, 201, 409, 409]);
  });

  it('is refused otherwise once one is refused too often', async () => {
    const { wish } = await aTakenSeat();
    const said = await exchange([requestFor(wish).repeat(121)], 121);
    const statuses = said.map(({ status }) => status);
    expect(statuses).toEqual([...Array(120).fill(409), 429]);
    expect(said.at(-1)?.headers['retry-after']).toMatch(/^\d+$/);
  });
});

describe('a wish for seats', () => {
  it.each(['reserve', 'holds'])('is fulfilled before the framework, alike: %s', async (route) => {
    const { event, free, third, wish } = await aTakenSeat();
    const path = route === 'holds' ? `/api/events/${event}/holds` : undefined;
    const wanted = (seat: string): Wish => ({
      ...wish,
      token: known[seat] ?? '',
      seat,
      ...(path ? { path, body: JSON.stringify({ items: [{ seat_id: seat }] }) } : {}),
    });
    const known: Record<string, string> = {};
    for (const seat of [free, third]) {
      const somebody = buyer();
      await somebody.ask(`GET /api/events/${event}/holds`);
      known[seat] = somebody.token;
    }
    handled.splice(0);
    const quick = await reserve(wanted(free));
    expect([quick.status, handled]).toEqual([201, []]);
    const usual = await reserve({ ...wanted(third), headers: USUAL });
    expect([usual.status, handled.length]).toEqual([201, 1]);
    const names = ({ body }: Said) => namesIn((body as { data: unknown }).data);
    expect(names(quick)).toEqual(names(usual));
    const about = ({ headers }: Said) => Object.keys(headers).sort();
    expect(about(quick)).toEqual(about(usual));
    // And it is theirs, whichever way they ask again.
    for (const headers of [{}, USUAL]) {
      const again = await reserve({ ...wanted(free), headers });
      expect(again.status).toBe(200);
    }
    const both = await Promise.all(
      [{}, USUAL].map((headers) => reserve({ ...wanted(free), headers })),
    );
    const [one, other] = both.map((said) => withoutTimes(said));
    expect(one).toEqual(other);
  });

  it('is the same wish by its key, whichever way it comes', async () => {
    const { free, wish } = await aTakenSeat();
    const key = { 'idempotency-key': newId() };
    const first = await reserve({ ...wish, seat: free, headers: key });
    expect(handled).toEqual([]);
    const again = await reserve({ ...wish, seat: free, headers: { ...USUAL, ...key } });
    expect(handled).toHaveLength(1);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    const holdOf = ({ body }: Said) => (body as { data: { hold_id: string } }).data.hold_id;
    expect(holdOf(again)).toBe(holdOf(first));
    const other = await reserve({ ...wish, headers: key });
    expect([other.status, (other.body as { error: string }).error]).toEqual([
      422,
      'idempotency_key_reused',
    ]);
  });

  it('is answered like any other when its key cannot be one', async () => {
    const { wish } = await aTakenSeat();
    const headers = { 'idempotency-key': 'x'.repeat(256) };
    const [quick, usual] = [
      await reserve({ ...wish, headers }),
      await reserve({ ...wish, headers: { ...headers, ...USUAL } }),
    ];
    expect(quick.status).toBe(400);
    expect(comparable(quick)).toEqual(comparable(usual));
  });

  it('is written down with the address and the browser that it came from', async () => {
    const { free, wish, event } = await aTakenSeat();
    const from = { 'user-agent': 'a browser', 'x-forwarded-for': '203.0.113.9, 198.51.100.7' };
    expect((await reserve({ ...wish, seat: free, headers: from })).status).toBe(201);
    expect(handled).toEqual([]);
    const rows = await database.asSuperuser(
      `select host(c.ip_address) as ip, c.user_agent from audit_log l
       join audit_context c using (organization_id, context_id) where l.chain_id = $1`,
      [event],
    );
    expect(rows).toContainEqual({ ip: '198.51.100.7', user_agent: 'a browser' });
  });
});

/** Names at all depths: of two seats nothing else is the same. */
function namesIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(namesIn);
  if (value === null || typeof value !== 'object') return typeof value;
  const inner = Object.entries(value).map(([name, one]) => [name, namesIn(one)]);
  return Object.fromEntries(inner.sort());
}

function withoutTimes({ status, body }: Said) {
  const { data } = body as { data: Record<string, unknown> };
  const text = JSON.stringify(data).replaceAll(/(?<="expires_in_seconds":)\d+/g, '0');
  return { status, ...JSON.parse(text), server_time: '', message: '' };
}

describe('the usual way is taken', () => {
  const cases: readonly (readonly [string, number, Partial<Wish>])[] = [
    ['with a body that is no JSON', 400, { body: '{"source":' }],
    ['with a field that nobody knows', 400, { body: '{"colour":"red"}' }],
    ['with names that poison', 400, { body: '{"__proto__":{}}' }],
    ['with a body of another kind', 400, { headers: { 'content-type': 'text/plain' } }],
    ['with no body of another kind', 400, { headers: { 'content-type': 'text/plain' }, body: '' }],
    ['with nothing, said in JSON', 400, { body: 'null' }],
    ['without a credential', 401, { token: 'none' }],
  ];
  it.each(cases)('%s', async (_, status, differently) => {
    const { wish } = await aTakenSeat();
    const said = await reserve({ ...wish, ...differently });
    expect(said.status).toBe(status);
    const code = (said.body as { error: string }).error;
    expect(code).toBe(status === 401 ? 'unauthorized' : 'invalid_request');
  });

  it('by those who are not known yet, and afterwards no more', async () => {
    const { wish } = await aTakenSeat();
    const { token } = buyer();
    expect((await reserve({ ...wish, token })).status).toBe(409);
    expect(handled).toHaveLength(1);
    expect((await reserve({ ...wish, token })).status).toBe(409);
    expect(handled).toHaveLength(1);
  });

  it('by a body that comes later, whole or in pieces', async () => {
    const { wish } = await aTakenSeat();
    const [head = '', body = ''] = requestFor(wish).split(/(?<=\r\n\r\n)/);
    for (const pieces of [
      [head, body],
      [head + body.slice(0, 5), body.slice(5)],
    ]) {
      const [said] = await exchange(pieces);
      expect(said?.status).toBe(409);
    }
    expect(handled).toHaveLength(2);
  });

  it('by guests of another event, who learn nothing of this one', async () => {
    const { wish } = await aTakenSeat();
    const { organizationId } = scope();
    const claims = { subject: newId(), organizationId, role: 'customer', expires: 4e9 } as const;
    const token = signToken(testServices().authSecret, { ...claims, eventId: newId() });
    for (let count = 0; count < 2; count++) {
      expect((await reserve({ ...wish, token })).status).toBe(404);
    }
  });

  it('by another organization, to which the event is not there', async () => {
    const { wish } = await aTakenSeat();
    const token = buyer().token;
    const claims = { subject: newId(), role: 'customer', expires: 4e9 } as const;
    const organizationId = newId();
    await database.asSuperuser(
      `insert into organizations (organization_id, slug, name) values ($1, $2, 'Other')`,
      [organizationId, `other-${organizationId.slice(-12)}`],
    );
    const foreign = signToken(testServices().authSecret, { ...claims, organizationId });
    for (let count = 0; count < 2; count++) {
      expect((await reserve({ ...wish, token: foreign })).status).toBe(404);
    }
    expect((await reserve({ ...wish, token })).status).toBe(409);
  });

  it('once the organization is suspended', async () => {
    const { wish } = await aTakenSeat();
    await database.asSuperuser(
      `update organizations set status = 'suspended' where organization_id = $1`,
      [scope().organizationId],
    );
    await eventually(async () => {
      const { body } = await reserve(wish);
      return (body as { error: string }).error === 'event_not_available';
    });
  });
});
