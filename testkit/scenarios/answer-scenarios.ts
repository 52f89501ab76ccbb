import { NIL_ID, systemClock } from '@voelgoed/engine/kit';
import { type Phase, type Shot, together, type Volley, volley } from '@voelgoed/faults/attacks';
import { signPayment } from '@voelgoed/server/routes';
import { eventually } from '#eventually';
import { type Act, PAYMENT_SECRET, type Scenario } from '#rig';

/** A node's deadline: faults around it and beyond it are the ones that were deadly. */
const DEADLINE_MS = 3_000;
/** Longer than the deadline, so that every request under way is answered by it. */
const LONGER_S = 4;

/** Everything is let in: what is turned away at the entrance is not in flight. */
const ALL_IN = [{ SHED_LOAD: '0' }, { SHED_LOAD: '0' }, { SHED_LOAD: '0' }];
const CROWD = 900;

/** How many second answers all nodes have dropped. */
async function droppedBy({ rig }: Act): Promise<number> {
  const name = 'voelgoed_http_answers_dropped_total';
  const counts = await Promise.all(rig.nodes.map((node) => node.metric(name)));
  return counts.reduce((sum, count) => sum + count, 0);
}

function post(path: string, body: string, headers = ''): string {
  const head = `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers}`;
  return `${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

/** None of them asks for a seat: the crowd alone knows what may be there in the end. */
function slowShots({ stage }: Act): Shot[] {
  const unix = Math.floor(systemClock.now() / 1_000);
  const paid = { amount_cents: 100, currency: 'ZAR', created: unix };
  const ids = { id: 'slow', attempt_id: NIL_ID };
  const message = JSON.stringify({ ...ids, type: 'payment.succeeded', ...paid });
  const signature = `x-signature: ${signPayment(PAYMENT_SECRET, message, unix)}\r\n`;
  const event = stage[0]?.events[0]?.eventId;
  const requests = [
    post('/webhooks/payments/bank', message),
    post('/webhooks/payments/bank', message, signature),
    post(`/api/events/${event}/holds`, '{"items":[]}'),
    post('/api/admin/members', '{"subject":"slow","role":"viewer"}'),
  ];
  // The node's time begins when it reads the head, a little after ours on a busy machine.
  const steps = Array.from({ length: 81 }, (_, step) => DEADLINE_MS - 10 + step);
  return steps.flatMap((last_ms) => requests.map((bytes) => ({ bytes, last_ms })));
}

const slowBodies: Scenario = {
  name: 'slow-bodies',
  sentence: 'last bytes of bodies arrive in steps of 1 ms around the deadline, without credential',
  fault: async (act) => {
    const { rig, seconds, rates, say } = act;
    const before = await droppedBy(act);
    const fired: Volley[] = [];
    const until = systemClock.monotonic() + seconds * 1_000;
    const per_s = await rates.during(async () => {
      do {
        const rounds = rig.nodes.map((node) => volley(node.direct, slowShots(act)));
        fired.push(...(await Promise.all(rounds)));
      } while (systemClock.monotonic() < until);
    });
    const { requests, answers, problems } = together(fired);
    for (const problem of problems) act.found('I15', problem);
    const dropped = (await droppedBy(act)) - before;
    say(`${requests} slow bodies, ${dropped} second answers dropped, ${JSON.stringify(answers)}`);
    say(`beside them ${per_s.toFixed(0)} answers a second`);
  },
};

/** So many buyers while it lasts; those of before and after are the rig's. */
async function withCrowd(act: Act, workers: number, work: () => Promise<void>): Promise<void> {
  const { rig } = act;
  await rig.crowd.tell({ kind: 'load', load: { workers, pause_ms: 0 } });
  await work();
  await rig.crowd.tell({ kind: 'rest' });
  await rig.crowd.tell({ kind: 'load', load: { workers: rig.workers, pause_ms: rig.pause_ms } });
}

const postgresStall: Scenario = {
  name: 'postgres-stall',
  sentence: `Postgres says nothing for longer than a request may take, with ${CROWD} under way`,
  nodes: ALL_IN,
  withoutPostgres: true,
  fault: async (act) => {
    const { rig, seconds, pause, say } = act;
    const before = await droppedBy(act);
    let most = 0;
    await withCrowd(act, CROWD, async () => {
      for (const { links } of rig.nodes) links.postgres.setToxic({ kind: 'blackhole' });
      for (let left = Math.max(LONGER_S, seconds); left > 0; left--) {
        await pause(1);
        const name = 'voelgoed_requests_under_way';
        const under = await Promise.all(rig.nodes.map((node) => node.metric(name)));
        most = Math.max(
          most,
          under.reduce((sum, count) => sum + count, 0),
        );
      }
      for (const { links } of rig.nodes) links.postgres.setToxic(null);
    });
    const dropped = (await droppedBy(act)) - before;
    say(`up to ${most} requests were under way, ${dropped} second answers were dropped`);
    // With few of them a node that answers twice would look like one that does not.
    if (most < CROWD / 2) act.found('I15', `only ${most} of ${CROWD} requests were under way`);
  },
};

const nodePaused: Scenario = {
  name: 'node-paused',
  sentence: 'a node is paused under load (SIGSTOP) for longer than a request may take',
  fault: async (act) => {
    const { rig, seconds, pause, rates, say } = act;
    const [paused] = rig.nodes;
    if (!paused) return;
    const before = await droppedBy(act);
    paused.kill('SIGSTOP');
    // No balancer knows of it: its requests wait, and more come.
    const per_s = await rates.during(() => pause(Math.max(LONGER_S, seconds)));
    paused.kill('SIGCONT');
    await eventually(() => paused.isReady(), { within_ms: 30_000 });
    const dropped = (await droppedBy(act)) - before;
    say(`one node paused: ${per_s.toFixed(0)} answers a second, ${dropped} second answers dropped`);
  },
};

const PHASES: readonly Phase[] = ['timers', 'poll', 'check', 'next tick', 'microtask'];
const STALLS_MS = [100, 300, 1_000, DEADLINE_MS - 100, DEADLINE_MS + 100, 10_000];

const loopStall: Scenario = {
  name: 'loop-stall',
  sentence: 'the event loop of one node after the other stands still, for 0.1 to 10 s',
  fault: async (act) => {
    const { rig, seconds, pause, say } = act;
    const before = await droppedBy(act);
    let stalls = 0;
    await withCrowd(act, CROWD / 3, async () => {
      // Every length in every phase needs --seconds 95.
      for (let left = seconds; left > 0; stalls++) {
        const stall_ms = STALLS_MS[stalls % STALLS_MS.length] ?? 0;
        const phase = PHASES[stalls % PHASES.length] ?? 'poll';
        const node = rig.nodes[stalls % rig.nodes.length];
        node?.stall(phase, stall_ms);
        await pause(stall_ms / 1_000 + 0.2);
        left -= stall_ms / 1_000 + 0.2;
      }
    });
    const dropped = (await droppedBy(act)) - before;
    say(`${stalls} stalls, ${dropped} second answers were dropped`);
  },
};

export const ANSWER_SCENARIOS = [slowBodies, postgresStall, nodePaused, loopStall];
