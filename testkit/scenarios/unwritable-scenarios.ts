import { machine_ms } from '@voelgoed/faults/hammer';
import { eventually } from '#eventually';
import type { Act, Scenario } from '#rig';

/** What has to happen for a scenario to say anything happens within this time, on any machine. */
const ENOUGH = { within_ms: 60_000, every_ms: 50 };

/** Nodes find the new server where the old one was; those who are connected stay where they are. */
function leadElsewhere({ rig }: Act): void {
  for (const { links } of rig.nodes) links.postgres.redirect({ path: rig.database.socket });
}

function cutAll({ rig }: Act): void {
  for (const { links } of rig.nodes) links.postgres.cutAll();
}

async function seconds(since_ms: number, look: () => Promise<boolean>): Promise<string> {
  await eventually(look, ENOUGH);
  return ((machine_ms() - since_ms) / 1_000).toFixed(1);
}

const areReady = async ({ rig }: Act) =>
  (await Promise.all(rig.nodes.map((node) => node.isReady()))).filter(Boolean).length;

/** What /health/ready of the first node says about Postgres. */
async function wordsOf({ rig }: Act): Promise<string> {
  const reply = await fetch(`${rig.nodes[0]?.direct}/health/ready`);
  const body = (await reply.json()) as { details?: { parts?: { postgres?: string } } };
  return body.details?.parts?.postgres ?? 'ok';
}

/** Answers that only a bug gives; what Postgres refuses is none. */
async function bugsIn({ rig }: Act): Promise<number> {
  const { answers } = await rig.crowd.tell({ kind: 'report' });
  const internal = Object.entries(answers).filter(([name]) => name.endsWith(' internal'));
  return internal.reduce((sum, [, count]) => sum + count, 0);
}

async function judgeBugs(act: Act): Promise<void> {
  const bugs = await bugsIn(act);
  act.say(`${bugs} answers were 500`);
  if (bugs > 0) act.found('I9', `${bugs} answers were 500 because Postgres could not write`);
}

/** How often the nodes are asked whether they are ready. */
const LOOK_S = 0.5;
/** As much as a sale writes in some minutes; it is filled to the last block. */
const ROOM_BYTES = 64 * 2 ** 20;

const diskFull: Scenario = {
  name: 'disk-full',
  sentence: 'the disk of Postgres is full to the last block, and freed (needs root)',
  withoutPostgres: true,
  prepare: async (act) => {
    await act.rig.database.follow(false, ROOM_BYTES);
    await act.rig.database.failOver();
    leadElsewhere(act);
    cutAll(act);
    await eventually(async () => (await areReady(act)) === act.rig.nodes.length, ENOUGH);
  },
  fault: async (act) => {
    const { rig, pause, say } = act;
    const full_ms = machine_ms();
    const free = await rig.database.fillDisk();
    const noticed = await seconds(full_ms, async () => (await areReady(act)) === 0);
    say(`the disk is full: no node is ready after ${noticed} s, "${await wordsOf(act)}"`);
    let ready = 0;
    const per_s = await act.rates.during(async () => {
      for (let left = act.seconds; left > 0; left -= LOOK_S) {
        await pause(Math.min(left, LOOK_S));
        ready += await areReady(act);
      }
    });
    if (ready > 0) act.found('I9', `nodes were ready ${ready} times while the disk was full`);
    const freed_ms = machine_ms();
    await free();
    const again = await seconds(freed_ms, async () => (await areReady(act)) === rig.nodes.length);
    say(`meanwhile ${per_s.toFixed(0)} answers a second; all nodes are ready ${again} s after`);
  },
  afterwards: async (act) => {
    await judgeBugs(act);
    await act.rig.database.follow(false);
    await act.rig.database.failOver();
    leadElsewhere(act);
    cutAll(act);
    await act.rig.database.removeSmallDisks();
    await eventually(async () => (await areReady(act)) === act.rig.nodes.length, ENOUGH);
  },
};

const SOLD = 'voelgoed_hold_success_total';

const switchover: Scenario = {
  name: 'switchover',
  sentence: 'the address leads to another server; open connections stay with the read-only one',
  withoutPostgres: true,
  prepare: async ({ rig }) => void (await rig.database.follow(true)),
  fault: async (act) => {
    const { rig, pause, say } = act;
    const from_ms = machine_ms();
    const former = await rig.database.switchOver();
    leadElsewhere(act);
    const there_ms = machine_ms();
    say(`the other server took over in ${((there_ms - from_ms) / 1_000).toFixed(1)} s`);
    try {
      const before = await Promise.all(rig.nodes.map((node) => node.metric(SOLD)));
      const sells = await Promise.all(
        rig.nodes.map((node, index) =>
          seconds(there_ms, async () => (await node.metric(SOLD)) > (before[index] ?? 0)),
        ),
      );
      say(`nodes sell on it after ${sells.join(', ')} s, without a restart`);
      await pause(act.seconds);
      // The listener asks every five seconds.
      const left = await seconds(there_ms, async () => (await former.listeners()) === 0);
      say(`no node listens to the former server after ${left} s`);
    } finally {
      await former.end();
    }
  },
  afterwards: judgeBugs,
};

export const UNWRITABLE_SCENARIOS = [diskFull, switchover];
