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
    const after = await failures(act);
    const failed = after.failed - before.failed;
    const late = after.late - before.late;
    say(`three nodes restarted: ${failed} requests failed, ${late} were not answered in time`);
    if (failed > 0) act.found('I14', `${failed} requests failed while nodes were restarted`);
    // Two nodes have the work of three: on a machine that others use too that may be too much.
    if (late > 0 && rig.factor === 1) act.found('I14', `${late} requests came to nothing`);
  },
};

/** What comes when a node, or what it needs, has no time left. */
const LATE = ['overloaded', 'event_busy', 'outcome_unknown', 'unavailable', 'timeout'];

/** All that got no answer, or a late one, but those whose client has left by itself. */
async function failures({ rig }: Act): Promise<{ failed: number; late: number }> {
  const { answers } = await rig.crowd.tell({ kind: 'report' });
  const counts = { failed: 0, late: 0 };
  for (const [name, count] of Object.entries(answers)) {
    if (!/ (?:failed|unknown) /.test(name) || name.endsWith(' hung up')) continue;
    if (LATE.some((code) => name.endsWith(` ${code}`))) counts.late += count;
    else counts.failed += count;
  }
  return counts;
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

export const NODE_SCENARIOS = [nodeKill, rollingRestart, nodeStopped];
