import { readFile } from 'node:fs/promises';
import {
  type ChainHead,
  type HeadStatement,
  headSigner,
  ORGANIZATION_CHAIN,
} from '@voelgoed/engine/audit';
import type { Scope } from '@voelgoed/engine/scope';
import { auditHead, type Engine, eventTallies, verifyAudit } from '@voelgoed/engine/workflows';
import type { Command } from 'commander';
import { Failure } from './failures.ts';
import type { Session } from './session.ts';
import type { Column } from './table.ts';
import { eventOf, everyEvent, tenantOf } from './tenants.ts';

type VerifyOptions = Readonly<{ head?: string; all?: boolean }>;

/** The audit trail: is it whole, and where does it end? */
export function registerAudit(program: Command, session: Session): void {
  program
    .command('verify-audit <organization> [event]')
    .description('follow the chain of an organization or event and name the first bad row')
    .option('--head <file>', 'a signed head that was kept: it must be ours, and the chain fit it')
    .option('--all', 'the chain of the organization and those of all its events')
    .action((slug: string, event: string | undefined, options: VerifyOptions, command: Command) =>
      session.engine(async (engine, { authSecret }) => {
        const scope = await tenantOf(engine, slug);
        const chains = await chainsOf(engine, scope, event, options);
        const trusted = options.head
          ? await readHead(options.head, scope, chains[0]?.id ?? '', authSecret)
          : undefined;
        await verify(engine, session, command, scope, chains, trusted);
      }),
    );

  program
    .command('audit-head <organization> [event]')
    .description('print a signed statement about the end of a chain, to be kept elsewhere')
    .action((slug: string, event: string | undefined) =>
      session.engine(async (engine, { authSecret }) => {
        const scope = await tenantOf(engine, slug);
        const [chain] = await chainsOf(engine, scope, event, {});
        const chainId = chain?.id ?? ORGANIZATION_CHAIN;
        const head = await auditHead(engine, { scope }, chainId);
        if (!head) throw new Failure('refused', `${event} is not on sale`);
        const at = new Date(engine.clock.now()).toISOString();
        const signer = headSigner(authSecret);
        const about = { organizationId: scope.organizationId, chainId };
        const statement = { ...signer.sign(about, head, at), public_key: signer.publicKey };
        session.say(JSON.stringify(statement));
      }),
    );
}

type Chain = Readonly<{ id: string; name: string }>;

async function chainsOf(
  engine: Engine,
  scope: Scope,
  event: string | undefined,
  { all, head }: VerifyOptions,
): Promise<Chain[]> {
  const own = { id: ORGANIZATION_CHAIN, name: 'organization' };
  if (all && (event !== undefined || head !== undefined)) {
    throw new Failure('usage', '--all goes with neither an event nor --head');
  }
  if (all) {
    const tallies = await eventTallies(engine, scope);
    const events = await everyEvent(engine, scope);
    const names = new Map(events.map(({ event_id, slug }) => [event_id, slug]));
    const chains = tallies.map(({ event_id: id }) => ({ id, name: names.get(id) ?? id }));
    return [own, ...chains];
  }
  if (event === undefined) return [own];
  const { event_id, slug } = await eventOf(engine, scope, event);
  return [{ id: event_id, name: slug }];
}

type Line = Readonly<{
  chain: string;
  chain_id: string;
  ok: boolean;
  rows: number;
  first_bad: Readonly<{ sequence: number; problem: string }> | null;
}>;

const COLUMNS: readonly Column<Line>[] = [
  { name: 'chain', of: ({ chain }) => chain },
  { name: 'id', of: ({ chain_id: id }) => (id === ORGANIZATION_CHAIN ? null : id) },
  { name: 'rows', of: ({ rows }) => rows, right: true },
  {
    name: 'verdict',
    of: ({ first_bad: bad }) => (bad ? `BROKEN: row ${bad.sequence} is ${bad.problem}` : 'whole'),
  },
];

async function verify(
  engine: Engine,
  session: Session,
  command: Command,
  scope: Scope,
  chains: readonly Chain[],
  trusted: ChainHead | undefined,
): Promise<void> {
  const lines: Line[] = [];
  for (const { id, name } of chains) {
    session.progress(`${lines.length} of ${chains.length} chains …`);
    const verdict = await verifyAudit(engine, { scope }, { id, trusted });
    if (!verdict) throw new Failure('refused', `${name} is not on sale and has no chain`);
    lines.push({ chain: name, chain_id: id, ...verdict });
  }
  session.progressDone();
  if (lines.some(({ ok }) => !ok)) session.found();
  session.show(command, lines, COLUMNS, '');
}

/** A head that was printed before: signed by us, and about this chain. */
async function readHead(
  file: string,
  scope: Scope,
  chainId: string,
  secret: string,
): Promise<ChainHead> {
  const head = await parsed(file);
  if (!headSigner(secret).verify(head)) {
    throw new Failure('refused', `${file} is not signed by this installation`);
  }
  if (head.organization_id !== scope.organizationId || head.chain_id !== chainId) {
    throw new Failure('refused', `${file} is about another chain`);
  }
  return { count: head.count, hash: Buffer.from(head.hash, 'hex') };
}

async function parsed(file: string): Promise<HeadStatement> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Failure('missing', `${file} cannot be read`);
  });
  try {
    const head = JSON.parse(text) as HeadStatement;
    if (typeof head.signature === 'string' && typeof head.hash === 'string') return head;
  } catch {
    // Told below, with what is no head either.
  }
  throw new Failure('usage', `${file} is no head of a chain`);
}
