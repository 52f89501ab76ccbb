import { ReserveWish, SeatParams } from '@voelgoed/client/wire';
import Fastify, { type FastifyInstance } from 'fastify';
import { Redis } from 'ioredis';
import pg from 'pg';
import { HOLD_BY_STATEMENT, INSERT_LOCKED_HOLD } from './references.sql.ts';
import { tokenCheck } from './token-check.ts';

export type ReferenceOptions = Readonly<{
  /**
   * `bare`: a constant answer to whatever comes. `refusing`: token and shapes are checked, then a
   * constant 409. `statement`: one statement for each hold. `locking`: SET NX, then an insert.
   */
  kind: 'bare' | 'refusing' | 'statement' | 'locking';
  url: string;
  redisUrl: string;
  secret: string;
  connections: number;
}>;

type Seat = Readonly<{ event_id: string; seat_id: string }>;
type Held = Readonly<{ hold_id: string; held_until: string }>;

const ROUTE = '/api/events/:event_id/seats/:seat_id/reserve';
const BACKLOG = 4_096;
const HOLD_MS = 600_000;
/** As long as ours. */
const TAKEN = {
  error: 'seat_held_by_another_user',
  message: 'Somebody else has this seat. Please choose another one.',
  details: { expires_in_seconds: 600 },
  request_id: '00000000-0000-7000-8000-000000000000',
};

export function startReferenceServer(options: ReferenceOptions): Promise<string> {
  const http = Fastify();
  if (options.kind === 'bare') answerAnything(http);
  else if (options.kind === 'refusing') refuseEverything(http, options);
  else holdSeats(http, options);
  return http.listen({ host: '127.0.0.1', port: 0, backlog: BACKLOG });
}

function answerAnything(http: FastifyInstance): void {
  http.post('/*', async (_request, reply) => reply.code(201).send({ data: { status: 'held' } }));
  http.get('/*', async () => ({ data: { status: 'available' } }));
}

function refuseEverything(http: FastifyInstance, { secret }: ReferenceOptions): void {
  const userOf = tokenCheck(secret);
  const schema = { params: SeatParams, body: ReserveWish };
  http.post(ROUTE, { schema }, async (request, reply) => {
    if (!userOf(request.headers.authorization)) return reply.code(401).send();
    return reply.code(409).send(TAKEN);
  });
}

function holdSeats(http: FastifyInstance, options: ReferenceOptions): void {
  const { url, connections: max, secret } = options;
  const userOf = tokenCheck(secret);
  const pool = new pg.Pool({ connectionString: url, max, idleTimeoutMillis: 0 });
  // When a run is stopped Postgres may go first.
  pool.on('error', () => {});
  const hold = options.kind === 'statement' ? byStatement(pool) : byLock(pool, options.redisUrl);
  const schema = { params: SeatParams, body: ReserveWish };
  http.post<{ Params: Seat }>(ROUTE, { schema }, async (request, reply) => {
    const userId = userOf(request.headers.authorization);
    if (!userId) return reply.code(401).send();
    const held = await hold(request.params, userId);
    if (!held) return reply.code(409).send(TAKEN);
    return reply.code(201).send({ data: { ...request.params, ...held } });
  });
}

/** Null: somebody has it. */
type Hold = (seat: Seat, userId: string) => Promise<Held | null>;

function byStatement(pool: pg.Pool): Hold {
  return async ({ event_id, seat_id }, userId) => {
    const values = [event_id, seat_id, userId];
    return (await pool.query<Held>({ ...HOLD_BY_STATEMENT, values })).rows[0] ?? null;
  };
}

/** The lock says who may; the row is written behind it, and nobody asks Postgres whose it is. */
function byLock(pool: pg.Pool, redisUrl: string): Hold {
  const redis = new Redis(redisUrl);
  return async ({ event_id, seat_id }, userId) => {
    const key = `lock:${event_id}:${seat_id}`;
    if ((await redis.set(key, userId, 'PX', HOLD_MS, 'NX')) === null) return null;
    const values = [event_id, seat_id, userId];
    return (await pool.query<Held>({ ...INSERT_LOCKED_HOLD, values })).rows[0] ?? null;
  };
}
