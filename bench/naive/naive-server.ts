import { createHmac } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';
import { INSERT_HOLD, LOCK_NOT_AVAILABLE, LOCK_SEAT, TAKE_SEAT } from './naive.sql.ts';

export type NaiveOptions = Readonly<{ url: string; secret: string; connections: number }>;

type SeatParams = Readonly<{ event_id: string; seat_id: string }>;
type Held = Readonly<{ hold_id: string; held_until: string }>;

const BACKLOG = 4_096;

export async function startNaive({ url, secret, connections }: NaiveOptions): Promise<string> {
  const pool = new pg.Pool({ connectionString: url, max: connections, idleTimeoutMillis: 0 });
  // When a run is stopped Postgres may go first.
  pool.on('error', () => {});
  const http = Fastify();
  http.post<{ Params: SeatParams }>(
    '/api/events/:event_id/seats/:seat_id/reserve',
    async (request, reply) => {
      const userId = userOf(request.headers.authorization, secret);
      if (!userId) return reply.code(401).send({ error: 'unauthorized' });
      const { event_id, seat_id } = request.params;
      const held = await hold(pool, event_id, seat_id, userId);
      if (!held) return reply.code(409).send({ error: 'seat_taken' });
      return reply.code(201).send({ event_id, seat_id, ...held });
    },
  );
  return http.listen({ host: '127.0.0.1', port: 0, backlog: BACKLOG });
}

/** Null: somebody has it, or is about to. */
async function hold(pool: pg.Pool, eventId: string, seatId: string, userId: string) {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query({ ...LOCK_SEAT, values: [eventId, seatId] });
    if (rows[0]?.status !== 'available') {
      await client.query('rollback');
      return null;
    }
    const made = await client.query<Held>({ ...INSERT_HOLD, values: [eventId, seatId, userId] });
    const [held] = made.rows;
    await client.query({
      ...TAKE_SEAT,
      values: [eventId, seatId, held?.hold_id, held?.held_until],
    });
    await client.query('commit');
    return held;
  } catch (error) {
    await client.query('rollback');
    if (error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE) return null;
    throw error;
  } finally {
    client.release();
  }
}

/** HS256 and nothing else: no expiry, no roles, no look at the database. */
function userOf(header: string | undefined, secret: string): string | null {
  const [head, payload = '', mac] = (header ?? '').replace(/^Bearer /, '').split('.');
  const expected = createHmac('sha256', secret).update(`${head}.${payload}`).digest('base64url');
  if (mac !== expected) return null;
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).sub;
}
