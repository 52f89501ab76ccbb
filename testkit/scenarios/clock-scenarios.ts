import { existsSync } from 'node:fs';
import { eventually } from '#eventually';
import type { Act, Scenario } from '#rig';

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;

/** A right signature is heard by every node: what is answered 4xx is not sent again. */
async function noneRefused({ rig, found, say }: Act): Promise<void> {
  const { answers } = await rig.crowd.tell({ kind: 'report' });
  const refused = answers['message refused signature_invalid'] ?? 0;
  say(`${refused} payment messages were refused for good`);
  if (refused > 0) found('I13', `${refused} payment messages were refused because of a clock`);
}

function nodeClocks(name: string, sentence: string, ahead_s: number): Scenario {
  const shift = (seconds: number) => ({ CLOCK_SHIFT_MS: String(seconds * 1_000) });
  return {
    name,
    sentence,
    nodes: [shift(ahead_s), shift(-ahead_s), {}],
    fault: ({ seconds, pause }) => pause(seconds),
    afterwards: noneRefused,
  };
}

/** Where the Debian package libfaketime puts it. */
const LIBRARIES = ['x86_64', 'aarch64'].map(
  (machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`,
);

/** Null: this machine has none. */
function fakeTime(): string | null {
  const own = process.env.LIBFAKETIME;
  return (own ? [own] : LIBRARIES).find((file) => existsSync(file)) ?? null;
}

/** The steps of the clock that nodes have taken up, and the drift that is left. */
async function driftOf({ rig }: Act): Promise<{ epoch: number; drift_s: number }> {
  const [row] = await rig.database.asSuperuser('select epoch, drift_ms from clock_state');
  return { epoch: Number(row?.epoch), drift_s: Number(row?.drift_ms) / 1_000 };
}

function databaseClock(name: string, sentence: string, by_s: number): Scenario {
  return {
    name,
    sentence,
    lacks: () => (fakeTime() ? null : 'libfaketime (Debian package libfaketime)'),
    prepare: async (act) => {
      await act.rig.database.restart(fakeTime());
      await eventually(async () => {
        const ready = await Promise.all(act.rig.nodes.map((node) => node.isReady()));
        return ready.every(Boolean);
      });
    },
    fault: async (act) => {
      const { rig, seconds, pause, say, found } = act;
      for (const ahead_s of [by_s, 0, -by_s, 0]) {
        const before = await driftOf(act);
        await rig.database.setClock(ahead_s);
        await pause(seconds / 4);
        await eventually(async () => (await driftOf(act)).epoch > before.epoch, {
          within_ms: 10_000,
        }).catch(() => found('I5', `nobody noticed that the clock was set to ${ahead_s} s`));
        const { drift_s } = await driftOf(act);
        say(`the clock is ${ahead_s} s ahead, the drift ${drift_s.toFixed(3)} s`);
        if (Math.abs(drift_s - ahead_s) > 5) found('I5', `the drift is ${drift_s} s`);
      }
    },
    afterwards: noneRefused,
    cleanup: async ({ rig }) => {
      await rig.database.restart(null);
      await rig.database.asSuperuser(
        'update clock_state set drift_ms = 0, epoch = epoch + 1, jumps = jumps + 1',
      );
    },
  };
}

export const CLOCK_SCENARIOS = [
  nodeClocks('node-clocks', 'the clocks of two nodes are wrong, by an hour each way', HOUR_S),
  nodeClocks('node-clocks-day', 'the clocks of two nodes are wrong, by a day each way', DAY_S),
  databaseClock('database-clock', 'the clock of Postgres is set by an hour, both ways', HOUR_S),
  databaseClock('database-clock-day', 'the clock of Postgres is set by a day, both ways', DAY_S),
];
