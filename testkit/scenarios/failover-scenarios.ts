import { machine_ms } from '@voelgoed/faults/hammer';
import type { FaultProxy } from '@voelgoed/faults/proxy';
import { eventually } from '#eventually';
import type { Act, Scenario } from '#rig';

/** Nodes find the new server where the old one was, as behind a virtual address. */
function turnTo({ rig }: Act): void {
  for (const { links } of rig.nodes) {
    links.postgres.redirect({ path: rig.database.socket });
    links.postgres.cutAll();
  }
}

const failover: Scenario = {
  name: 'failover',
  sentence: 'kill -9 of the primary, the synchronous standby takes over: nothing is lost',
  withoutPostgres: true,
  prepare: async ({ rig }) => void (await rig.database.follow(true)),
  fault: async (act) => {
    const { rig, seconds, pause, say } = act;
    await pause(seconds);
    const from_ms = machine_ms();
    await rig.database.failOver();
    turnTo(act);
    say(`the standby took over in ${((machine_ms() - from_ms) / 1_000).toFixed(1)} s`);
  },
};

/** So many commits at least are lost. */
const FEW = 5;
const ENOUGH = { within_ms: 60_000, every_ms: 200 };
const LINEAGES = 'voelgoed_board_other_lineage_total';
const LOADS = 'voelgoed_board_load_seconds_count';
const sumOf = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);

/** The link to the standby, while there is one. */
let replication: FaultProxy | null = null;

const failoverLossy: Scenario = {
  name: 'failover-lossy',
  sentence:
    'a failover to a standby that had not heard of the last commits: noticed, no two owners',
  withoutPostgres: true,
  prepare: async ({ rig }) => {
    replication = await rig.database.follow(false);
  },
  fault: async (act) => {
    const { rig, seconds, pause, say } = act;
    const lineages = await metricSum(act, LINEAGES);
    const from_ms = machine_ms();
    replication?.setToxic({ kind: 'blackhole' });
    const kept = sumOf(await revisions(act));
    await pause(Math.min(seconds, 10));
    await eventually(async () => sumOf(await revisions(act)) > kept + FEW, ENOUGH);
    const before = await revisions(act);
    const loads = await metricSum(act, LOADS);
    await rig.database.failOver();
    const after = await revisions(act);
    turnTo(act);
    act.forget(from_ms, machine_ms());
    const lost = before.map((revision, index) => revision - (after[index] ?? 0));
    const sum = sumOf(lost);
    say(`${sum} commits are lost (${lost.join(', ')} of the four events)`);
    if (sum === 0) act.found('I2', 'nothing was lost, so nothing is shown');
    // A board in memory is of another history now: its node has to see that by itself, or has loaded
    // it anew because the connection broke in the middle of a flush.
    const noticed = async () => ({
      lineages: (await metricSum(act, LINEAGES)) - lineages,
      loads: (await metricSum(act, LOADS)) - loads,
    });
    const isNoticed = async () => sumOf(Object.values(await noticed())) > 0;
    await eventually(isNoticed, ENOUGH).catch(() => {});
    const seen = await noticed();
    say(`another history was noticed ${seen.lineages} times, ${seen.loads} boards were loaded anew`);
    if (sumOf(Object.values(seen)) === 0) {
      act.found('I9', 'no node has noticed that the history is another one');
    }
  },
};

async function metricSum({ rig }: Act, name: string): Promise<number> {
  return sumOf(await Promise.all(rig.nodes.map((node) => node.metric(name))));
}

async function revisions({ rig, stage }: Act): Promise<number[]> {
  const events = stage.flatMap((one) => one.events.map(({ eventId }) => eventId));
  const text = 'select event_id, revision from event_boards where event_id = any($1)';
  const rows = await rig.database.asSuperuser(text, [events]);
  return events.map((id) => Number(rows.find((row) => row.event_id === id)?.revision));
}

export const FAILOVER_SCENARIOS = [failover, failoverLossy];
