import { readFileSync } from 'node:fs';
import { eventually } from '#eventually';
import type { Act, Scenario } from '#rig';

/** A node is gone without a word; whoever asks for it finds nobody. */
const nodeKill: Scenario = {
  name: 'node-kill',
  sentence: 'kill -9 of an API node under load',
  fault: async ({ rig, seconds, pause, rates, say }) => {
    const [node] = rig.nodes;
    if (!node) return;
    await node.die();
    node.links.http.refuse();
    node.links.http.cutAll();
    const per_s = await rates.during(() => pause(seconds));
    say(`one of three nodes is gone: ${per_s.toFixed(0)} answers a second`);
    await node.start();
    await node.links.http.accept();
  },
};

/** Out of the balancer, SIGTERM, started anew, ready, back: as the guide for upgrades says. */
const rollingRestart: Scenario = {
  name: 'rolling-restart',
  sentence: 'every node is restarted, one after the other; no request fails',
  fault: async (act) => {
    const { rig, say } = act;
    const before = await failures(act);
    for (const { index } of rig.nodes) {
      await rig.crowd.tell({ kind: 'rotate', node: index, isIn: false });
      await rig.nodes[index]?.stop();
      await rig.nodes[index]?.start();
      await rig.crowd.tell({ kind: 'rotate', node: index, isIn: true });
    }
    const failed = (await failures(act)) - before;
    const { answers } = await rig.crowd.tell({ kind: 'report' });
    const busy = Object.entries(answers).filter(([name]) => name.endsWith(OVERLOADED));
    const turned = busy.reduce((sum, [, count]) => sum + count, 0);
    say(`three nodes restarted: ${failed} requests failed, ${turned} were turned away as too many`);
    if (failed > 0) act.found('I14', `${failed} requests failed while nodes were restarted`);
  },
};

/** Two nodes have the work of three: on a slow machine the gate says so, which is an answer. */
const OVERLOADED = ' overloaded';

/** All that got no answer, but those whose client has left by itself. */
async function failures({ rig }: Act): Promise<number> {
  const { answers } = await rig.crowd.tell({ kind: 'report' });
  const failed = Object.entries(answers).filter(
    ([name]) =>
      / (?:failed|unknown) /.test(name) &&
      ![' hung up', OVERLOADED].some((end) => name.endsWith(end)),
  );
  return failed.reduce((sum, [, count]) => sum + count, 0);
}

/** The state of a process, by its letter. */
function stateOf(pid: number): string {
  return readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .slice(0, 1);
}

const nodeStopped: Scenario = {
  name: 'node-stopped',
  sentence: 'SIGSTOP of a node while it holds the lock of an event',
  fault: async ({ rig, seconds, pause, rates, say }) => {
    const [sleeper] = rig.nodes;
    if (!sleeper) return;
    const locking = new Set<number>();
    // The node has the lock and does not know it yet: the answer waits in its socket.
    rig.watches[0] = (direction, chunk, connection) => {
      if (direction === 'up' && chunk.includes('flush.lock')) locking.add(connection);
      else if (direction === 'down' && locking.delete(connection)) {
        rig.watches[0] = null;
        sleeper.kill('SIGSTOP');
      }
      return 'pass';
    };
    await eventually(() => stateOf(sleeper.pid) === 'T', { within_ms: 30_000 });
    // Its requests wait; a balancer sends no more.
    void rig.crowd.tell({ kind: 'rotate', node: 0, isIn: false });
    const per_s = await rates.during(() => pause(seconds));
    say(`one node sleeps with a lock in its hand: ${per_s.toFixed(0)} answers a second`);
    sleeper.kill('SIGCONT');
    await eventually(() => sleeper.isReady(), { within_ms: 30_000 });
    await rig.crowd.tell({ kind: 'rotate', node: 0, isIn: true });
  },
};

const FIVE_MINUTES_MS = 5 * 60_000;

const nodeClocks: Scenario = {
  name: 'node-clocks',
  sentence: 'the clocks of two nodes are wrong, by five minutes each way',
  nodes: [
    { CLOCK_SHIFT_MS: String(FIVE_MINUTES_MS) },
    { CLOCK_SHIFT_MS: String(-FIVE_MINUTES_MS) },
    {},
  ],
  fault: ({ seconds, pause }) => pause(seconds),
};

export const NODE_SCENARIOS = [nodeKill, rollingRestart, nodeStopped, nodeClocks];
