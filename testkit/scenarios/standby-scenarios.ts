import { machine_ms } from '@voelgoed/faults/hammer';
import type { FaultProxy } from '@voelgoed/faults/proxy';
import { eventually } from '#eventually';
import type { Act, Scenario } from '#rig';
import { revisions, turnTo } from './failover-scenarios.ts';

const WAITING = `from pg_stat_activity where wait_event = 'SyncRep'`;
const ENOUGH = { within_ms: 60_000, every_ms: 20 };

/** The link to the standby, while there is one. */
let replication: FaultProxy | null = null;

/** Commits wait for a standby that hears nothing, and become visible without it. */
type MakeVisible = (act: Act) => Promise<void>;

const isWaiting = async ({ rig }: Act) =>
  (await rig.database.asSuperuser(`select 1 ${WAITING}`))[0];

/** The primary dies while commits wait, and recovers them; then nodes ask what became of them. */
const crash: MakeVisible = async (act) => {
  await eventually(() => isWaiting(act), ENOUGH);
  await act.rig.database.kill();
  await act.pause(Math.max(act.seconds, 3));
};

/** Somebody ends every backend that waits, as one ends a transaction that hangs. */
const terminate: MakeVisible = async (act) => {
  const until_ms = machine_ms() + Math.max(act.seconds, 3) * 1_000;
  while (machine_ms() < until_ms) {
    await act.rig.database.asSuperuser(`select pg_terminate_backend(pid) ${WAITING}`);
    await act.pause(0.02);
  }
};

function cutOff(name: string, sentence: string, makeVisible: MakeVisible): Scenario {
  return {
    name,
    sentence,
    withoutPostgres: true,
    prepare: async ({ rig }) => {
      replication = await rig.database.follow(true);
    },
    fault: async (act) => {
      const { rig, say, found } = act;
      replication?.setToxic({ kind: 'blackhole' });
      await makeVisible(act);
      const primary = await revisions(act);
      const standby = await revisions(act, (...asked) => rig.database.onStandby(...asked));
      const lost = primary.map((revision, index) => revision - (standby[index] ?? 0));
      const sum = lost.reduce((one, other) => one + other, 0);
      say(`${sum} commits were visible and not on the standby (${lost.join(', ')})`);
      if (sum === 0) found('I2', 'nothing was visible without the standby, so nothing is shown');
      await rig.database.failOver();
      turnTo(act);
    },
  };
}

export const STANDBY_SCENARIOS = [
  cutOff(
    'standby-cut-crash',
    'the standby hears nothing, the primary crashes and recovers, the standby takes over',
    crash,
  ),
  cutOff(
    'standby-cut-terminate',
    'the standby hears nothing, commits that wait for it are terminated, the standby takes over',
    terminate,
  ),
];
