import { type AccessScope, isAccessScope, scopesOf } from '@voelgoed/engine/accounts';
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from '@voelgoed/engine/workflows';
import { type Command, InvalidArgumentError } from 'commander';
import { Failure } from './failures.ts';
import type { Session } from './session.ts';
import type { Column } from './table.ts';
import { administrator, asCount, asId, everything, tenantOf } from './tenants.ts';

const PAGE = 500;
const OVERLAP_HOURS = 24;

type Row = Awaited<ReturnType<typeof listApiKeys>>[number];

const COLUMNS: readonly Column<Row>[] = [
  { name: 'key', of: ({ key_id }) => key_id },
  { name: 'name', of: ({ name }) => name },
  { name: 'live', of: ({ live }) => (live ? 'yes' : 'no') },
  { name: 'last used (UTC)', of: ({ last_used_at }) => last_used_at },
  { name: 'expires (UTC)', of: ({ expires_at }) => expires_at },
  { name: 'scopes', of: ({ scopes }) => scopes.join(' ') },
];

type Made = { key_id: string; key: string | null };

/** API keys of an organization. */
export function registerKeys(program: Command, session: Session): void {
  const keys = program.command('keys').description('API keys of an organization');
  registerList(keys, session);
  registerMaking(keys, session);
  keys
    .command('revoke <organization> <key>')
    .description('end a key at once')
    .option('--yes', 'do not ask')
    .action((slug: string, key: string, options: { yes?: boolean }, command: Command) =>
      session.engine(async (engine) => {
        const caller = administrator(session, command, await tenantOf(engine, slug));
        const keyId = idOf(key);
        await session.confirm(options.yes, `whoever uses key ${keyId} will be locked out`);
        const outcome = await revokeApiKey(engine, caller, keyId);
        if (outcome.kind !== 'done') throw noKey(key, slug);
        session.result(command, { key_id: keyId, revoked: true }, `${keyId} is revoked.`);
      }),
    );
}

function registerList(keys: Command, session: Session): void {
  keys
    .command('list <organization>')
    .description('keys with their scopes; secrets are nowhere')
    .action((slug: string, _, command: Command) =>
      session.engine(async (engine) => {
        const caller = administrator(session, command, await tenantOf(engine, slug));
        const rows = await everything((last: { key_id: string } | undefined) =>
          listApiKeys(engine, caller, { after: last?.key_id, limit: PAGE }),
        );
        session.show(command, rows, COLUMNS, 'There is no key.');
      }),
    );
}

function registerMaking(keys: Command, session: Session): void {
  keys
    .command('create <organization>')
    .description('make a key and print it, this once')
    .requiredOption('--name <name>', 'what it is for')
    .requiredOption('--scopes <scopes>', 'separated by commas; or all', asScopes)
    .option('--days <days>', 'how long it lives; default: until it is revoked', asCount)
    .action(
      (
        slug: string,
        options: { name: string; scopes: AccessScope[]; days?: number },
        command: Command,
      ) =>
        session.engine(async (engine) => {
          const caller = administrator(session, command, await tenantOf(engine, slug));
          const { name, scopes, days: expiresInDays = null } = options;
          const outcome = await createApiKey(engine, caller, { name, scopes, expiresInDays });
          if (outcome.kind !== 'done') throw new Failure('refused', `not made: ${outcome.kind}`);
          tellKey(session, command, outcome.answer);
        }),
    );

  keys
    .command('rotate <organization> <key>')
    .description('make a successor; the old key lives on for a while')
    .option('--overlap <hours>', `for so long; default ${OVERLAP_HOURS}`, asCount, OVERLAP_HOURS)
    .action((slug: string, key: string, options: { overlap: number }, command: Command) =>
      session.engine(async (engine) => {
        const caller = administrator(session, command, await tenantOf(engine, slug));
        const outcome = await rotateApiKey(engine, caller, idOf(key), options.overlap);
        if (outcome.kind === 'already_rotated') {
          throw new Failure('refused', `${key} has a successor already: ${outcome.by}`);
        }
        if (outcome.kind !== 'done') throw noKey(key, slug);
        tellKey(session, command, outcome.answer);
      }),
    );
}

function tellKey(session: Session, command: Command, { key_id, key }: Made): void {
  const lines = [`id   ${key_id}`, `key  ${key}`, 'The key is shown this once.'];
  session.result(command, { key_id, key }, lines.join('\n'));
}

function noKey(key: string, slug: string): Failure {
  return new Failure('missing', `${slug} has no live key ${key}`);
}

/** Arguments with a parser of commander's are options; this one is plain. */
function idOf(text: string): string {
  try {
    return asId(text);
  } catch {
    throw new Failure('usage', `"${text}" is no id of a key`);
  }
}

function asScopes(text: string): AccessScope[] {
  const known = scopesOf('owner');
  if (text === 'all') return [...known];
  return text.split(',').map((one) => {
    const scope = one.trim();
    if (isAccessScope(scope)) return scope;
    throw new InvalidArgumentError(`"${scope}" is not one of ${[...known].join(', ')}.`);
  });
}
