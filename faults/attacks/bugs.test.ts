import { systemClock } from '@voelgoed/engine/kit';
import { anEngine, anOrganization, aPublishedEvent, newId } from '@voelgoed/testkit/builders';
import { control } from '@voelgoed/testkit/controls';
import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { call, tokenFor } from '@voelgoed/testkit/servers';
import { testServices } from '@voelgoed/testkit/services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  listen,
  openBare,
  startTarget,
  statusesIn,
  type Target,
  type TargetSettings,
} from './attacks.ts';

const database = useDatabase();
const running: Target[] = [];

afterAll(async () => {
  for (const one of running) await one.end();
});

type Wanted = Pick<Partial<TargetSettings>, 'off' | 'stop'>;

async function aTarget({ off = null, ...more }: Wanted = {}): Promise<Target> {
  const { authSecret } = testServices();
  const { ownerUrl, redisUrl } = database;
  const common = { environment: {}, deadline_ms: 3_000, off, ...more };
  const started = await startTarget({ ownerUrl, redisUrl, authSecret, ...common });
  running.push(started);
  return started;
}

/** Code at the edge, which has no state but a request's. */
const EDGE = 'server/http/planted.ts';
/** Code that changes boards. */
const STATEFUL = 'engine/registry/planted.ts';

describe('a bug that no code catches', { timeout: 60_000 }, () => {
  it('at the edge is logged and counted, and the node serves on', async () => {
    const target = await aTarget();
    for (const [line, origin] of ['uncaughtException', 'unhandledRejection'].entries()) {
      target.bug(EDGE, origin === 'unhandledRejection');
      const lines = await eventually(() => {
        const written = target.output().split('\n').slice(0, -1);
        return written.length > line ? written : null;
      });
      const logged = JSON.parse(lines[line] ?? '');
      expect(logged).toMatchObject({ msg: 'bug.uncaught', origin, node: 'goes on' });
      expect(logged).toMatchObject({ reason: 'planted', ids: { stack: expect.any(String) } });
      const series = `origin="${origin}",node="goes on"`;
      expect(await target.metric('voelgoed_bug_uncaught_total', series)).toBe(1);
    }
    expect((await fetch(`${target.address}/health/ready`)).status).toBe(200);
    expect(target.exit()).toBeNull();
  });

  it.each([false, true])('where state can be wrong ends the node (%s)', async (isRejection) => {
    const target = await aTarget();
    target.bug(STATEFUL, isRejection);
    await target.exited;
    expect(target.exit()).toBe('code 1');
    expect(target.output()).toContain('the node ends: planted');
  });

  it.each([
    ['fails', 'stopping failed: the stop is broken'],
    ['hangs', 'stopping has taken 1 s'],
  ] as const)('ends a node whose stop %s', async (stop, words) => {
    const target = await aTarget({ stop });
    target.bug(STATEFUL);
    await target.exited;
    expect(target.exit()).toBe('code 1');
    expect(target.output()).toContain(`It ends all the same: ${words}`);
  });
});

describe('a bug that a request leaves behind', { timeout: 60_000 }, () => {
  let target: Target;
  let stage: Readonly<{ owner: string; buyer: string; reserve: string }>;
  let logged = 0;

  beforeAll(async () => {
    target = await aTarget();
    const scope = await anOrganization(database.postgres);
    const engine = anEngine(database.postgres);
    const { eventId } = await aPublishedEvent(engine, scope);
    const board = await engine.registry.board({ scope, eventId });
    const seat = board?.plan.seatIdOf(0);
    stage = {
      owner: tokenFor(scope.organizationId),
      buyer: tokenFor(scope.organizationId, { role: 'customer' }),
      reserve: `/api/events/${eventId}/seats/${seat}/reserve`,
    };
    // Then the node knows buyer and board, and the next one is on the fast path.
    await call(target.address, `POST ${stage.reserve}`, { token: stage.buyer, body: {} });
  });

  it.each([
    ['timer', 'framework'],
    ['promise', 'framework'],
    ['timer', 'framework, its body late'],
    ['promise', 'framework, its body late'],
    ['timer', 'fast path'],
    ['promise', 'fast path'],
  ])('in a %s is logged with it: %s', async (kind, way) => {
    const isQuick = way === 'fast path';
    const body = isQuick ? '{}' : JSON.stringify({ subject: newId(), role: 'viewer' });
    const path = isQuick ? stage.reserve : '/api/admin/members';
    const token = isQuick ? stage.buyer : stage.owner;
    const socket = openBare(target.address);
    const heard = listen(socket, 5_000);
    const head =
      `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n` +
      `authorization: Bearer ${token}\r\nx-planted: ${kind}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
    socket.write(way.endsWith('late') ? head : `${head}${body}`);
    if (way.endsWith('late')) {
      await systemClock.sleep(100);
      socket.write(body);
    }
    const { text } = await heard;
    expect(statusesIn(text)).toEqual([isQuick ? 200 : 201]);
    const lines = await eventually(() => {
      const written = target.output().split('\n').slice(0, -1);
      return written.length > logged ? written : null;
    });
    const { ids } = JSON.parse(lines[logged++] ?? '');
    const request_id = /x-request-id: (\S+)/i.exec(text)?.[1];
    expect(ids).toMatchObject({ request: `POST ${path}`, request_id });
  });
});

control('bug verdict', async (off) => {
  const target = await aTarget({ off: off.has('bug verdict') ? 'bug verdict' : null });
  target.bug(EDGE);
  const isOver = () => target.exit() !== null || target.output().includes('bug.uncaught');
  await eventually(isOver);
  return target.exit() === null ? [] : [`the node has ended: ${target.output()}`];
});
