import { withClient } from '@voelgoed/engine/postgres';
import { eventually } from '#eventually';
import type { Act, Scenario } from '#rig';

/** Between two kills there is time to work. */
const BETWEEN_S = 4;
/** Then more time: a supervisor gives up on a server that dies more than six times in a minute. */
const SOON = 3;
const LATER_S = 15;

const postgresKill: Scenario = {
  name: 'postgres-kill',
  sentence: 'kill -9 of Postgres, again and again',
  withoutPostgres: true,
  fault: async ({ rig, seconds, pause, say }) => {
    let kills = 0;
    for (let left = seconds; left > 0; kills++) {
      const between_s = kills === 0 ? 0 : kills < SOON ? BETWEEN_S : LATER_S;
      await pause(Math.min(between_s, left));
      await rig.database.kill();
      left -= between_s || BETWEEN_S;
    }
    say(`Postgres was killed ${kills} times`);
  },
};

const WRITE = 'flush.write';
const COMMITTED = 'COMMIT\0';
const SWALLOWED = 0.2;
/** What has to happen for a scenario to say anything happens within this time, on any machine. */
const ENOUGH = { within_ms: 60_000, every_ms: 200 };

const commitSwallowed: Scenario = {
  name: 'commit-swallowed',
  sentence: 'COMMIT is carried out and its answer is lost on the way',
  fault: async (act) => {
    const { rig, seconds, pause, random, say } = act;
    let swallowed = 0;
    const before = await settledOf(act);
    for (const index of rig.nodes.keys()) {
      const writing = new Set<number>();
      rig.watches[index] = (direction, chunk, connection) => {
        if (direction === 'up' && chunk.includes(WRITE)) writing.add(connection);
        if (direction === 'up' || !chunk.includes(COMMITTED)) return 'pass';
        if (!writing.delete(connection) || random.next() > SWALLOWED) return 'pass';
        swallowed++;
        return 'swallow';
      };
    }
    await pause(seconds);
    await eventually(() => swallowed > 0, ENOUGH);
    rig.watches.fill(null);
    // Whoever waits for an answer that never comes gives up after two seconds.
    await eventually(async () => (await settledOf(act)) > before, ENOUGH);
    const settled = (await settledOf(act)) - before;
    say(`${swallowed} answers to COMMIT were lost, ${settled} commits were looked up`);
  },
};

async function settledOf({ rig }: Act): Promise<number> {
  const counts = await Promise.all(
    rig.nodes.map((node) => node.metric('voelgoed_flush_settled_total')),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

const lockTimeout: Scenario = {
  name: 'lock-timeout',
  sentence: 'somebody keeps the locks of all events, as a stuck transaction does',
  fault: (act) =>
    withClient(act.rig.database.superuserUrl, async (client) => {
      const { seconds, pause, rates, stage, say } = act;
      const events = stage.flatMap((one) => one.events.map(({ eventId }) => eventId));
      await client.query('begin');
      await client.query('select from event_boards where event_id = any($1) for update', [events]);
      const per_s = await rates.during(() => pause(seconds));
      await client.query('rollback');
      say(`the events are locked: ${per_s.toFixed(0)} answers a second, from memory`);
    }),
};

const oldSnapshot: Scenario = {
  name: 'old-snapshot',
  sentence: 'somebody leaves a snapshot open',
  fault: ({ rig, seconds, pause, rates, say }) =>
    withClient(rig.database.superuserUrl, async (client) => {
      await client.query('begin isolation level repeatable read');
      await client.query('select count(*) from seat_holds');
      const per_s = await rates.during(() => pause(seconds));
      await client.query('rollback');
      say(`with an old snapshot: ${per_s.toFixed(0)} answers a second`);
    }),
};

const TERMINATE = `select pg_terminate_backend(pid) from pg_stat_activity
  where application_name like 'voelgoed%' and pid <> pg_backend_pid()`;
/** Superusers have a few connections of their own; the rest is taken. */
const MOST_CONNECTIONS = 290;

const poolExhausted: Scenario = {
  name: 'pool-exhausted',
  sentence: 'others take all connections of Postgres, and those of the nodes end',
  withoutPostgres: true,
  fault: ({ rig, seconds, pause, rates, say }) =>
    withClient(rig.database.superuserUrl, async (superuser) => {
      const { ownerUrl } = rig.database;
      const leave = Promise.withResolvers<void>();
      let taken = 0;
      const take = () =>
        withClient(ownerUrl, async (client) => {
          await client.query('select 1');
          taken++;
          await leave.promise;
        }).catch(() => {});
      await superuser.query(TERMINATE);
      const taking = Array.from({ length: MOST_CONNECTIONS }, take);
      await pause(0.5);
      await superuser.query(TERMINATE);
      const per_s = await rates.during(() => pause(seconds));
      leave.resolve();
      await Promise.all(taking);
      say(`others had ${taken} connections: ${per_s.toFixed(0)} answers a second`);
    }),
};

const slowQueries: Scenario = {
  name: 'slow-queries',
  sentence: 'every answer of Postgres takes up to a quarter of a second longer',
  fault: async ({ rig, seconds, pause, rates, say }) => {
    for (const { links } of rig.nodes) {
      const toxic = {
        kind: 'latency',
        latency_ms: 100,
        jitter_ms: 150,
        direction: 'down',
      } as const;
      links.postgres.setToxic(toxic);
    }
    const per_s = await rates.during(() => pause(seconds));
    for (const { links } of rig.nodes) links.postgres.setToxic(null);
    say(`Postgres is slow: ${per_s.toFixed(0)} answers a second`);
  },
};

export const POSTGRES_SCENARIOS = [
  postgresKill,
  commitSwallowed,
  lockTimeout,
  poolExhausted,
  slowQueries,
  oldSnapshot,
];
