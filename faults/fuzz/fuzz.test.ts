import { useDatabase } from '@voelgoed/testkit/database';
import { useReceivers } from '@voelgoed/testkit/receivers';
import { printedRandom } from '@voelgoed/testkit/seeds';
import { useNode } from '@voelgoed/testkit/servers';
import { testServices } from '@voelgoed/testkit/services';
import { aFuzzWorld, contradictions } from '@voelgoed/testkit/worlds';
import { describe, expect, it } from 'vitest';
import { fuzz } from './fuzz.ts';
import { problemsOf } from './judge.ts';
import type { Operation } from './operations.ts';

const PLATFORM_SECRET = 'the platform secret of the short fuzzer';
const PAYMENT_WEBHOOK_SECRET = 'the payment secret of the short fuzzer';
const database = useDatabase();
const node = useNode(database, {
  PLATFORM_SECRET,
  PAYMENT_WEBHOOK_SECRET,
  SHED_LOAD: '0',
  ALLOW_INTERNAL_ADDRESSES: '1',
  GUEST_SESSIONS_PER_HOUR: '100000',
  CHECKOUT_INTERVAL_SECONDS: '0',
});
const receivers = useReceivers();

/** As many as fit into half a minute of two cores; `npm run fuzz` asks as many as it is told. */
const REQUESTS = 1_000;

describe('the fuzzer', () => {
  it('finds no answer that is not described, none that fails, none that never comes', async () => {
    const world = await aFuzzWorld({
      address: node().address,
      postgres: database.postgres,
      authSecret: testServices().authSecret,
      hook: (await receivers()).url,
      platformSecret: PLATFORM_SECRET,
      paymentSecret: PAYMENT_WEBHOOK_SECRET,
    });
    const { seed } = printedRandom('fuzz');
    const report = await fuzz(world, { requests: REQUESTS, seed });
    expect(report.findings).toEqual([]);
    // It gets past the doors: nearly every route was asked, and most of them said yes.
    expect(report.asked.size).toBeGreaterThan(world.operations.length - 12);
    expect(report.succeeded.size).toBeGreaterThan(world.operations.length * 0.4);
    expect(await contradictions(database.postgres)).toEqual([]);
  }, 120_000);
});

const STACK = { message: 'Error\n    at x (file:///a.ts:1:2)' };
const replies = new Map<number, string[]>([
  [200, []],
  [404, ['event_not_found']],
]);
const operation: Operation = {
  name: 'GET /x',
  method: 'GET',
  path: '/x',
  parameters: [],
  body: null,
  replies,
};
const headers = { 'x-content-type-options': 'nosniff' };
const refusal = (error: string, more: object = {}) =>
  JSON.stringify({ error, message: 'No.', details: {}, request_id: 'r', ...more });

describe('the judge of answers', () => {
  it('lets good ones pass', () => {
    const good = [
      { status: 200, headers, text: '{"data":1}' },
      { status: 404, headers, text: refusal('event_not_found') },
    ];
    for (const answer of good) expect(problemsOf(answer, operation, 'GET')).toEqual([]);
  });

  it.each([
    ['a failure', { status: 500, headers, text: refusal('internal') }],
    ['no protection', { status: 200, headers: {}, text: '' }],
    ['an injected header', { status: 200, headers: { ...headers, 'x-injected': '1' }, text: '' }],
    ['a status that is not described', { status: 201, headers, text: '' }],
    ['another format', { status: 404, headers, text: '{"statusCode":404}' }],
    ['more than the format', { status: 404, headers, text: refusal('event_not_found', { x: 1 }) }],
    ['a code that is not described', { status: 404, headers, text: refusal('seat_not_found') }],
    ['a code of another status', { status: 404, headers, text: refusal('forbidden') }],
    ['a stack', { status: 404, headers, text: refusal('event_not_found', STACK) }],
    ['a page', { status: 404, headers, text: '<html>' }],
  ])('sees %s', (_, answer) => {
    expect(problemsOf(answer, operation, 'GET')).not.toEqual([]);
  });
});
