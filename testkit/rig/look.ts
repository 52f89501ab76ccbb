import { systemClock } from '@voelgoed/engine/kit';
import { CART, type CrowdOrganization, PERSON } from '@voelgoed/faults/crowd';
import { type Violation, violation } from '@voelgoed/faults/history';
import { signToken } from '@voelgoed/server/tokens';
import { AUTH_SECRET, type Rig } from './open-rig.ts';

/** After healing everything has what Postgres has within this time. */
export const HEALED_MS = 5_000;
/**
 * Redis is asked again after 50 ms in which it answers: on a machine with many programs that takes
 * its time, and until then nothing is wrong that a reader could see.
 */
const REDIS_AGAIN_MS = 20_000;
const EVERY_MS = 100;

export type Patience = Readonly<{ factor: number }>;

/** Asks until there is no problem any more or the time is over; the last problems count. */
export async function until(
  within_ms: number,
  look: () => Promise<string[]>,
): Promise<readonly string[]> {
  const deadline = systemClock.monotonic() + within_ms;
  for (;;) {
    const problems = await look().catch((error: unknown) => [String(error)]);
    if (problems.length === 0 || systemClock.monotonic() > deadline) return problems;
    await systemClock.sleep(EVERY_MS);
  }
}

/** Somebody who may everything in an organization. */
export function ownerToken(organizationId: string): string {
  const expires = Math.floor(systemClock.now() / 1_000) + 3_600;
  return signToken(AUTH_SECRET, { subject: 'staff', organizationId, role: 'owner', expires });
}

export async function ask(url: string, token?: string): Promise<Record<string, unknown>> {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const reply = await fetch(url, { headers });
  const body = (await reply.json()) as { data?: Record<string, unknown>; error?: string };
  return body.data ?? { error: body.error };
}

export const eventsOf = (stage: readonly CrowdOrganization[]) =>
  stage.flatMap(({ organizationId, events }) =>
    events.map(({ eventId }) => ({ organizationId, eventId })),
  );

/** I10: memory of every node, Redis and Postgres have the same holds. */
export async function lookAtTiers(
  rig: Rig,
  stage: readonly CrowdOrganization[],
  { factor }: Patience,
): Promise<Violation[]> {
  const places = rig.nodes.flatMap((node) => eventsOf(stage).map((event) => ({ node, ...event })));
  let left = places;
  let differs = false;
  const look = async () => {
    const found: string[] = [];
    const wrong: typeof places = [];
    differs = false;
    for (const place of left) {
      const { node, organizationId, eventId } = place;
      const url = `${node.direct}/api/admin/registry?event_id=${eventId}`;
      const said = await ask(url, ownerToken(organizationId));
      if (said.status === 'ok') continue;
      wrong.push(place);
      differs ||= said.status !== 'redis_unavailable';
      found.push(`node ${node.index}, event ${eventId}: ${said.message ?? said.error}`);
    }
    left = wrong;
    return found;
  };
  let problems = await until(HEALED_MS * factor, look);
  if (!differs) problems = await until(REDIS_AGAIN_MS * factor, look);
  return problems.map((message) => violation('I10', message));
}

/** Counters that are bugs when they are not zero. */
const NEVER = ['voelgoed_flush_guard_total', 'voelgoed_command_broken_total'];
NEVER.push('voelgoed_invariant_violated_total', 'voelgoed_bug_uncaught_total');

/** What a node has when nobody asks for anything. */
const AT_REST = ['voelgoed_stream_clients', 'voelgoed_requests_under_way'];
AT_REST.push('voelgoed_queue_wishes');

/** I14, the second half: what belonged to clients is gone with them. I9: no guard had to act. */
export async function lookForLeaks(rig: Rig, { factor }: Patience): Promise<Violation[]> {
  const found: Violation[] = [];
  const left = await until(HEALED_MS * factor, async () => {
    const problems: string[] = [];
    for (const node of rig.nodes) {
      for (const name of AT_REST) {
        const value = await node.metric(name);
        if (value > 0) problems.push(`node ${node.index} has ${name} ${value} at rest`);
      }
    }
    const stuck = await rig.database.asSuperuser(STUCK);
    return [...problems, ...stuck.map(({ who }) => `${who} has left a transaction open`)];
  });
  found.push(...left.map((message) => violation('I14', message)));
  for (const node of rig.nodes) {
    for (const name of NEVER) {
      const value = await node.metric(name);
      if (value > 0) found.push(violation('I9', `node ${node.index}: ${name} is ${value}`));
    }
  }
  return found;
}

const STUCK = `select application_name as who from pg_stat_activity
  where state like 'idle in transaction%' and state_change < now() - interval '2 s'
    and application_name like 'voelgoed%'`;

/** I15: a node ends by a signal of the rig, and by nothing else. */
export function lookForExits(rig: Rig): Violation[] {
  return rig.nodes.flatMap((node) =>
    node.takeExits().map((exit) => violation('I15', `node ${node.index} has ended by ${exit}`)),
  );
}

/** I12 in what nodes have printed since a place in their logs. */
export function lookAtLogs(rig: Rig, since: readonly number[]): Violation[] {
  return rig.nodes.flatMap((node, index) => {
    const text = node.logs().slice(since[index] ?? 0);
    const words = [PERSON, CART, 'Bearer '].filter((word) => text.includes(word));
    return words.map((word) => violation('I12', `the log of node ${index} has "${word}"`));
  });
}
