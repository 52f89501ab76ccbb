import { scopeOfSlug, scopesOf } from '@voelgoed/engine/accounts';
import { headSigner, ORGANIZATION_CHAIN } from '@voelgoed/engine/audit';
import { type Scope, scopeOf } from '@voelgoed/engine/scope';
import {
  auditHead,
  type Caller,
  changeOrganizationStatus,
  createOrganization,
  type Engine,
  listOrganizations,
  verifyAudit,
} from '@voelgoed/engine/workflows';

export const STATUS_STEPS = {
  suspend: 'suspended',
  resume: 'active',
  archive: 'archived',
} as const;

const PAGE = 500;

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
  const caller = administrator(scopeOf('00000000-0000-0000-0000-000000000000'));
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

export async function verifyTenant(engine: Engine, slug: string): Promise<void> {
  const verdict = await verifyAudit(engine, { scope: await tenantOf(engine, slug) });
  if (verdict.ok) {
    console.log(`The chain of ${slug} is whole: ${verdict.rows} rows.`);
    return;
  }
  const { sequence, problem } = verdict.first_bad ?? {};
  throw new Error(`the chain of ${slug} is broken: row ${sequence} is ${problem}`);
}

export async function printHead(engine: Engine, slug: string, secret: string): Promise<void> {
  const scope = await tenantOf(engine, slug);
  const head = await auditHead(engine, { scope });
  const chain = { organizationId: scope.organizationId, chainId: ORGANIZATION_CHAIN };
  const at = new Date(engine.clock.now()).toISOString();
  console.log(JSON.stringify(headSigner(secret).sign(chain, head, at)));
}

async function tenantOf(engine: Engine, slug: string): Promise<Scope> {
  const scope = await scopeOfSlug(engine.postgres, slug);
  if (!scope) throw new Error(`there is no organization "${slug}"`);
  return scope;
}
