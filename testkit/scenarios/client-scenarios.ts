import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Toxic } from '@voelgoed/faults/proxy';
import type { Act, Scenario } from '#rig';

const badNetwork: Scenario = {
  name: 'bad-network',
  sentence: 'requests and answers are late, reordered, cut off and lost on the way to the nodes',
  fault: async ({ rig, seconds, pause, random, rates, say }) => {
    const step_s = 0.4;
    const work = async () => {
      for (let left = seconds; left > 0; left -= step_s) {
        for (const { links } of rig.nodes) links.http.setToxic(somethingOnTheWay(random.next()));
        await pause(Math.min(step_s, left));
      }
    };
    const per_s = await rates.during(work);
    for (const { links } of rig.nodes) links.http.setToxic(null);
    say(`on a bad network: ${per_s.toFixed(0)} answers a second`);
  },
};

function somethingOnTheWay(draw: number): Toxic | null {
  if (draw < 0.5) return { kind: 'latency', latency_ms: 0, jitter_ms: 300 };
  if (draw < 0.65) return { kind: 'reset' };
  if (draw < 0.8) return { kind: 'swallow_reply' };
  if (draw < 0.9) return { kind: 'drop_after_bytes', bytes: 20_000 };
  return null;
}

/** So many of each kind. */
const CLIENTS = 60;

/** Clients that ask and do not read, say half of what they want, or are gone without a word. */
const slowClients: Scenario = {
  name: 'slow-clients',
  sentence: 'clients that read nothing, say half a request, or vanish',
  fault: async ({ rig, stage, seconds, pause, rates, say }) => {
    const event = stage[0]?.events[0]?.eventId;
    const stream = `GET /api/events/${event}/stream HTTP/1.1\r\nhost: x\r\n\r\n`;
    const headers = 'host: x\r\ncontent-length: 99\r\n\r\n';
    const half = `POST /api/events/${event}/holds HTTP/1.1\r\n${headers}{`;
    const sockets: Socket[] = [];
    for (let index = 0; index < CLIENTS; index++) {
      const { links } = rig.nodes[index % rig.nodes.length] ?? {};
      if (!links) continue;
      for (const [text, reads] of [
        [stream, false],
        [half, true],
        [stream, true],
      ] as const) {
        const socket = connect(links.http.port, links.http.host);
        socket.on('error', () => {});
        sockets.push(socket);
        await once(socket, 'connect');
        socket.write(text);
        if (reads) socket.resume();
        else socket.pause();
      }
    }
    const per_s = await rates.during(() => pause(seconds));
    // Half of them leave as people do, the others without a word.
    for (const [index, socket] of sockets.entries()) {
      if (index % 2 === 0) socket.destroy();
      else socket.resetAndDestroy();
    }
    const [vanishing] = rig.nodes;
    vanishing?.links.http.setToxic({ kind: 'half_open', gone: 'client' });
    await pause(0.5);
    vanishing?.links.http.setToxic(null);
    vanishing?.links.http.cutAll();
    say(`with ${sockets.length} such clients: ${per_s.toFixed(0)} answers a second`);
  },
};

/** What a machine answers alone is asked of it three times over. */
const overload: Scenario = {
  name: 'overload',
  sentence: 'three times as many buyers as before, without pauses',
  fault: async ({ rig, seconds, pause, rates, say }) => {
    const workers = 2 * rig.workers;
    await rig.crowd.tell({ kind: 'load', load: { workers, pause_ms: 0 } });
    const per_s = await rates.during(() => pause(seconds));
    await rig.crowd.tell({ kind: 'rest' });
    await rig.crowd.tell({ kind: 'load', load: { workers: rig.workers, pause_ms: rig.pause_ms } });
    const { answers } = await rig.crowd.tell({ kind: 'report' });
    const shed = Object.entries(answers).filter(([name]) => name.endsWith(' overloaded'));
    const turned = shed.reduce((sum, [, count]) => sum + count, 0);
    say(`under overload: ${per_s.toFixed(0)} answers a second, ${turned} were turned away`);
  },
};

const CHAOS_STEP_S = 0.3;

/** What can happen to a wire, or nothing. */
function anything({ random }: Act): Toxic | null {
  const direction = random.next() < 0.5 ? 'up' : 'down';
  const toxics: (Toxic | null)[] = [
    null,
    null,
    { kind: 'latency', latency_ms: random.next() ** 3 * 900, jitter_ms: 20, direction },
    { kind: 'blackhole', direction },
    { kind: 'blackhole' },
    { kind: 'reset' },
    { kind: 'swallow_reply', from: Buffer.from('COMMIT\0') },
    { kind: 'drop_after_bytes', bytes: Math.floor(random.next() * 20_000) },
  ];
  return toxics[Math.floor(random.next() * toxics.length)] ?? null;
}

const chaos: Scenario = {
  name: 'chaos',
  sentence: 'anything on any link at any time',
  withoutPostgres: true,
  fault: async (act) => {
    const { rig, seconds, pause, random } = act;
    const all = rig.nodes.flatMap(({ links }) => Object.values(links));
    for (let left = seconds; left > 0; left -= CHAOS_STEP_S) {
      all[Math.floor(random.next() * all.length)]?.setToxic(anything(act));
      await pause(Math.min(left, CHAOS_STEP_S * random.next() * 2));
    }
    for (const proxy of all) proxy.setToxic(null);
    for (const { links } of rig.nodes) links.postgres.cutAll();
  },
};

export const CLIENT_SCENARIOS = [badNetwork, slowClients, overload, chaos];
