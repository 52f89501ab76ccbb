import { ERRORS, type ErrorCode } from '@voelgoed/client/wire';
import { withClient } from '@voelgoed/engine/postgres';
import { expect } from 'vitest';
import type { TestDatabase } from '#database';
import { type CallOptions, call, type Reply } from '#servers';

/** Of machines; every route has them, and tests of their own. */
const ALWAYS = ['internal', 'overloaded', 'unavailable'];

type Operation = { responses: Record<string, { description: string }> };

/** Refusals as all routes give them, and a list of those that a test file has provoked. */
export function useCodes(ask: (route: string, options?: CallOptions) => Promise<Reply>) {
  /** What every code was provoked on. */
  const provoked = new Set<string>();
  return {
    provoked,
    /** `path`: the route as it is asked. */
    provoke: async (
      code: ErrorCode,
      route: string,
      path: string,
      options: CallOptions = {},
    ): Promise<Reply> => {
      const reply = await ask(path, options);
      const { status, headers } = reply;
      expect([route, status, reply.body.error]).toEqual([route, ERRORS[code], code]);
      expect(Object.keys(reply.body).sort()).toEqual(['details', 'error', 'message', 'request_id']);
      expect(headers.get('cache-control')).toBe('no-cache, no-store');
      if (status === 503 || status === 429) {
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      }
      provoked.add(`${route} ${code}`);
      return reply;
    },
  };
}

/** Every code that the reference names for these routes, but for those of machines. */
export async function documentedCodes(
  address: string,
  routes: readonly string[],
): Promise<string[]> {
  const { body } = await call(address, 'GET /openapi.json');
  const paths = body.paths as Record<string, Record<string, Operation>>;
  const documented = routes.flatMap((route) => {
    const [method = '', path = ''] = route.split(' ');
    const responses = paths[path]?.[method.toLowerCase()]?.responses ?? {};
    const codes = Object.entries(responses)
      .filter(([status]) => Number(status) >= 400)
      .flatMap(([, { description }]) => description.split(', '));
    expect([route, codes.length > 0]).toEqual([route, true]);
    return codes.filter((code) => !ALWAYS.includes(code)).map((code) => `${route} ${code}`);
  });
  return documented.sort();
}

/** While another transaction has the event. */
export function whileLocked(
  { superuserUrl }: TestDatabase,
  event: string,
  work: () => Promise<unknown>,
): Promise<void> {
  return withClient(superuserUrl, async (client) => {
    await client.query('begin');
    await client.query('select from event_boards where event_id = $1 for update', [event]);
    await work();
    await client.query('rollback');
  });
}

const SLOW_FUNCTION = `create function slow() returns trigger language plpgsql
as $$ begin perform pg_sleep(5); return new; end $$`;
const SLOW_TRIGGER = `create constraint trigger slow after insert on seat_changes
deferrable initially deferred for each row execute function slow()`;

/** While every commit takes longer than a request may. */
export async function whileCommitsAreSlow(
  database: TestDatabase,
  work: () => Promise<unknown>,
): Promise<void> {
  await database.asSuperuser(`${SLOW_FUNCTION}; ${SLOW_TRIGGER}`);
  await work();
  await database.asSuperuser('drop trigger slow on seat_changes');
}
