import { NIL_ID } from '@voelgoed/engine/kit';
import { scopeOf } from '@voelgoed/engine/scope';
import { changeOrganizationStatus, createOrganization } from '@voelgoed/engine/workflows';
import type { Command } from 'commander';
import { Failure } from './failures.ts';
import type { Session } from './session.ts';
import type { Column } from './table.ts';
import { administrator, everyTenant, tenantOf } from './tenants.ts';

const STEPS = { suspend: 'suspended', resume: 'active', archive: 'archived' } as const;
const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

type Tenant = Readonly<{ organization_id: string; slug: string; status: string }>;

const COLUMNS: readonly Column<Tenant>[] = [
  { name: 'organization', of: ({ slug }) => slug },
  { name: 'status', of: ({ status }) => status },
  { name: 'id', of: ({ organization_id }) => organization_id },
];

/** The tenants of the installation. */
export function registerOrganizations(program: Command, session: Session): void {
  const organization = program.command('organization').description('tenants of this installation');

  organization
    .command('create <slug>')
    .description('make an organization and print its first API key, this once')
    .requiredOption('--owner <email>', 'the first owner')
    .option('--name <name>', 'how people call it; default: the slug')
    .action((slug: string, options: { owner: string; name?: string }, command: Command) =>
      session.engine(async (engine) => {
        if (!SLUG.test(slug)) {
          const rule = 'a-z, 0-9 and inner hyphens, at most 63';
          throw new Failure('usage', `"${slug}" is no slug: ${rule}`);
        }
        if (!EMAIL.test(options.owner)) {
          throw new Failure('usage', `"${options.owner}" is no email address`);
        }
        const caller = administrator(session, command, scopeOf(NIL_ID));
        const { owner: email, name = slug } = options;
        const owner = { subject: email, email };
        const outcome = await createOrganization(engine, caller, { slug, name, owner });
        if (outcome.kind !== 'done') throw new Failure('refused', `the slug "${slug}" is taken`);
        const { organization: made, owner_user_id, key } = outcome.answer;
        const lines = [
          `organization  ${made.organization_id}`,
          `owner         ${email} (${owner_user_id})`,
          `key           ${key}`,
          'The key is shown this once.',
        ];
        const { organization_id } = made;
        session.result(command, { organization_id, slug, owner_user_id, key }, lines.join('\n'));
      }),
    );

  organization
    .command('list')
    .description('all organizations with their state')
    .action((_, command: Command) =>
      session.engine(async (engine) => {
        const rows = await everyTenant(engine);
        session.show(command, rows, COLUMNS, 'There is no organization.');
      }),
    );

  for (const [step, status] of Object.entries(STEPS)) {
    organization
      .command(`${step} <slug>`)
      .description(`turn an organization ${status}`)
      .option('--yes', 'do not ask')
      .action((slug: string, options: { yes?: boolean }, command: Command) =>
        session.engine(async (engine) => {
          const caller = administrator(session, command, await tenantOf(engine, slug));
          if (status !== 'active') {
            await session.confirm(options.yes, `${slug} will be ${status} and sell nothing more`);
          }
          const outcome = await changeOrganizationStatus(engine, caller, status);
          if (outcome.kind === 'not_possible') {
            const message = `${slug} is ${outcome.from} and cannot become ${status}`;
            throw new Failure('refused', message);
          }
          session.result(command, { slug, status }, `${slug} is ${status}.`);
        }),
      );
  }
}
