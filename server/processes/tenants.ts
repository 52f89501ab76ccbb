import { readFile } from 'node:fs/promises';
import { scopeOfSlug, scopesOf } from '@voelgoed/engine/accounts';
import {
  type ChainHead,
  type HeadStatement,
  headSigner,
  ORGANIZATION_CHAIN,
} from '@voelgoed/engine/audit';
import { assert, isUuid, NIL_ID } from '@voelgoed/engine/kit';
import { type Scope, scopeOf } from '@voelgoed/engine/scope';
import {
  auditHead,
  type Caller,
  changeOrganizationStatus,
  createOrganization,
  type Engine,
  listOrganizations,
  reconcileRegistry,
  registryStatus,
  verifyAudit,
} from '@voelgoed/engine/workflows';

export const STATUS_STEPS = {
  suspend: 'suspended',
  resume: 'active',
  archive: 'archived',
} as const;

const PAGE = 500;
const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Whoever can run the command line of an installation is its administrator. */
function administrator(scope: Scope): Caller {
  return {
    scope,
    actor: { kind: 'platform', id: null, role: null },
    role: 'owner',
    scopes: scopesOf('owner'),
    ip: null,
    userAgent: 'command line',
    idempotency: null,
  };
}

export async function createTenant(
  engine: Engine,
  slug: string,
  options: { owner: string; name?: string },
): Promise<void> {
  if (!SLUG.test(slug))
    throw new Error(`"${slug}" is no slug: a-z, 0-9 and inner hyphens, at most 63`);
  if (!EMAIL.test(options.owner)) throw new Error(`"${options.owner}" is no email address`);
  const caller = administrator(scopeOf(NIL_ID));
  const owner = { subject: options.owner, email: options.owner };
  const outcome = await createOrganization(engine, caller, {
    slug,
    name: options.name ?? slug,
    owner,
  });
  if (outcome.kind !== 'done') throw new Error(`the slug "${slug}" is taken`);
  console.log(`organization  ${outcome.answer.organization.organization_id}`);
  console.log(`owner         ${options.owner} (${outcome.answer.owner_user_id})`);
  console.log(`key           ${outcome.answer.key}`);
  console.log('The key is shown this once.');
}

export async function allTenants(engine: Engine) {
  const all = [];
  for (let after = ''; ; ) {
    const page = await listOrganizations(engine, { after, limit: PAGE });
    all.push(...page);
    if (page.length < PAGE) return all;
    after = page.at(-1)?.slug ?? '';
  }
}

export async function changeTenant(
  engine: Engine,
  slug: string,
  status: 'active' | 'suspended' | 'archived',
): Promise<void> {
  const caller = administrator(await tenantOf(engine, slug));
  const outcome = await changeOrganizationStatus(engine, caller, status);
  if (outcome.kind === 'not_possible') {
    throw new Error(`${slug} is ${outcome.from} and cannot become ${status}`);
  }
  console.log(`${slug} is ${status}.`);
}

export async function verifyTenant(
  engine: Engine,
  slug: string,
  secret: string,
  options: { head?: string },
): Promise<void> {
  const scope = await tenantOf(engine, slug);
  const trusted = options.head ? await readHead(options.head, scope, secret) : undefined;
  const verdict = await verifyAudit(engine, { scope }, { id: ORGANIZATION_CHAIN, trusted });
  assert(verdict, 'an organization has its chain');
  if (!verdict.ok) {
    const { sequence, problem } = verdict.first_bad ?? {};
    throw new Error(`the chain of ${slug} is broken: row ${sequence} is ${problem}`);
  }
  const since = trusted ? ` since row ${trusted.count}` : '';
  console.log(`The chain of ${slug} is whole: ${verdict.rows} rows${since}.`);
}

/** A head that was printed before: signed by us, and about this organization. */
async function readHead(file: string, scope: Scope, secret: string): Promise<ChainHead> {
  const head = JSON.parse(await readFile(file, 'utf8')) as HeadStatement;
  if (!headSigner(secret).verify(head))
    throw new Error(`${file} is not signed by this installation`);
  if (head.organization_id !== scope.organizationId) {
    throw new Error(`${file} is about another organization`);
  }
  return { count: head.count, hash: Buffer.from(head.hash, 'hex') };
}

export async function printHead(engine: Engine, slug: string, secret: string): Promise<void> {
  const scope = await tenantOf(engine, slug);
  const head = await auditHead(engine, { scope }, ORGANIZATION_CHAIN);
  assert(head, 'an organization has its chain');
  const chain = { organizationId: scope.organizationId, chainId: ORGANIZATION_CHAIN };
  const at = new Date(engine.clock.now()).toISOString();
  const signer = headSigner(secret);
  const statement = { ...signer.sign(chain, head, at), public_key: signer.publicKey };
  console.log(JSON.stringify(statement));
}

export async function printRegistry(engine: Engine, slug: string, event: string): Promise<void> {
  const scope = await tenantOf(engine, slug);
  const status = await registryStatus(engine, { scope }, eventIdOf(event));
  if (!status) throw new Error(`${slug} has no such event on sale`);
  for (const tier of ['memory', 'redis', 'postgres'] as const) {
    const found = status[tier];
    if (found) console.log(`${tier.padEnd(8)}  ${found.digest}  ${found.count} holds`);
  }
  console.log(status.message);
  if (!status.consistent) process.exitCode = 1;
}

export async function reconcileTenant(
  engine: Engine,
  slug: string,
  event: string | undefined,
): Promise<void> {
  const scope = await tenantOf(engine, slug);
  const eventId = event === undefined ? null : eventIdOf(event);
  const done = await reconcileRegistry(engine, { scope }, eventId);
  if (!done) throw new Error(`${slug} has no such event on sale`);
  console.log(`${done.events} events: ${done.message}`);
}

function eventIdOf(text: string): string {
  if (!isUuid(text)) throw new Error(`"${text}" is no id of an event`);
  return text.toLowerCase();
}

async function tenantOf(engine: Engine, slug: string): Promise<Scope> {
  const scope = await scopeOfSlug(engine.postgres, slug);
  if (!scope) throw new Error(`there is no organization "${slug}"`);
  return scope;
}
