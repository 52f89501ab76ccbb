import type { RegistryStatus as NodeStatus } from '@voelgoed/client/client';
import { reasonOf, systemClock } from '@voelgoed/engine/kit';
import type { Scope } from '@voelgoed/engine/scope';
import { type Engine, type RegistryStatus, registryStatus } from '@voelgoed/engine/workflows';
import type { Command } from 'commander';
import { signToken } from '#tokens';
import { Failure } from './failures.ts';
import type { Installation } from './host.ts';
import { isJson, type Session } from './session.ts';
import { eventOf } from './tenants.ts';

/** Looking closely takes a node a moment. */
const NODE_MS = 20_000;
const TOKEN_SECONDS = 60;
const MOST_TEXT = 200;

/** What an address of a node answered. */
type Asked = Readonly<{ node: string }> & NodeStatus;

type Wanted = Readonly<{ slug: string; scope: Scope; name: string; nodes: readonly string[] }>;

/**
 * One event in Redis and Postgres, and in the memory of those nodes that are named. What the
 * command line itself has in memory it has just loaded from Postgres: that says nothing about a
 * node.
 */
export async function showTiers(
  engine: Engine,
  installation: Installation,
  session: Session,
  command: Command,
  { slug, scope, name, nodes }: Wanted,
): Promise<void> {
  const { event_id } = await eventOf(engine, scope, name);
  const seen = await registryStatus(engine, { scope }, event_id, { wholeBoard: false });
  if (!seen) throw new Failure('refused', `${name} is not on sale`);
  const asked: Asked[] = [];
  for (const node of nodes) asked.push(await askNode(installation, scope, node, event_id));
  const consistent = seen.consistent && asked.every((one) => one.consistent);
  // What fills itself is no fault: looking again in a moment is all there is to do.
  const isFilling = (one: { filling?: boolean }) => one.filling === true;
  const isWrong = [seen, ...asked].some((one) => !one.consistent && !isFilling(one));
  if (isWrong) session.found();
  const { memory: _, message: __, ...tiers } = seen;
  const message = sentenceOf(seen, asked);
  if (isJson(command)) return session.json({ ...tiers, consistent, message, nodes: asked });
  if (seen.redis) session.say(lineOf('redis', seen.redis));
  session.say(lineOf('postgres', seen.postgres));
  for (const { node, memory } of asked) session.say(`${lineOf('memory', memory)}  ${node}`);
  session.say(message);
  for (const one of asked) if (!one.consistent) session.say(`${one.node}: ${one.message}`);
  if (isWrong) session.say(`npm run -s cli -- reconcile ${slug} ${name}`);
  if (nodes.length === 0) session.say('The memory of running nodes: --node <url> asks one.');
}

function lineOf(tier: string, { digest, count }: { digest: string; count: number }): string {
  return `${tier.padEnd(8)}  ${digest}  ${count} holds`;
}

function sentenceOf({ redis, postgres, ...seen }: RegistryStatus, asked: readonly Asked[]): string {
  if (!seen.consistent) return seen.message;
  if (seen.status === 'redis_unavailable') return 'Redis cannot be asked.';
  if (asked.some(({ consistent }) => !consistent)) return 'Not every node has what Postgres has.';
  const tiers = [...(redis ? ['Redis'] : []), ...asked.map(({ node }) => node)];
  const who = tiers.length > 0 ? `${tiers.join(', ')} and Postgres have the same` : 'Postgres has';
  return `${who} ${postgres.count} holds.`;
}

/** As a member of the staff, by a token that is good for this one question. */
async function askNode(
  { authSecret }: Installation,
  { organizationId }: Scope,
  node: string,
  eventId: string,
): Promise<Asked> {
  const expires = Math.floor(systemClock.now() / 1_000) + TOKEN_SECONDS;
  const who = { subject: 'command line', organizationId, role: 'staff', expires } as const;
  const url = `${node.replace(/\/+$/, '')}/api/admin/registry?event_id=${eventId}`;
  try {
    const reply = await fetch(url, {
      headers: { authorization: `Bearer ${signToken(authSecret, who)}` },
      signal: AbortSignal.timeout(NODE_MS),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${reply.status} ${text.slice(0, MOST_TEXT)}`);
    return { node, ...(JSON.parse(text) as { data: NodeStatus }).data };
  } catch (error) {
    throw new Failure('unavailable', `${node} did not answer: ${reasonOf(error)}`);
  }
}
