import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { OperatingError, type Random } from '#kit';
import { editAddress } from './addresses.ts';
import { withClient } from './client.ts';
import { stateOf } from './failures.ts';

/** The roles that serve. They own nothing, so row level security binds them. */
export const APP_ROLES = ['voelgoed_app', 'voelgoed_jobs'] as const;
export type AppRole = (typeof APP_ROLES)[number];

/**
 * The connection string of a serving role, derived from the owner's. Its password is derived from
 * the operator's secret, so every node knows it, nobody has to configure it and the database
 * stores only a verifier.
 */
export function loginUrl(ownerUrl: string, role: AppRole, secret: string): string {
  return editAddress(ownerUrl, (url) => {
    url.username = role;
    url.password = rolePassword(role, secret);
    // What is in the query would win over what is before the host.
    url.searchParams.delete('user');
    url.searchParams.delete('password');
  });
}

function rolePassword(role: AppRole, secret: string): string {
  return createHmac('sha256', secret).update(`database role ${role}`).digest('base64url');
}

/**
 * Lets the serving roles log in. Does nothing when they already can. Roles that somebody else has
 * given a password are left alone unless `mayReset`: another secret here is more likely a mistake
 * than a wish, and would lock out every running node. The verifier is computed here: the password
 * itself never travels to a server that might log its statements.
 */
export async function ensureLogins(
  ownerUrl: string,
  secret: string,
  options: { random: Random; mayReset: boolean },
): Promise<void> {
  const missing: AppRole[] = [];
  for (const role of APP_ROLES) {
    if (!(await canLogIn(loginUrl(ownerUrl, role, secret)))) missing.push(role);
  }
  if (missing.length === 0) return;
  await withClient(ownerUrl, async (client) => {
    // One node at a time: two that alter the same role at once make Postgres fail one of them.
    await client.query(`select pg_advisory_lock(hashtext('voelgoed logins'))`);
    for (const role of missing) {
      const { rows } = await client.query(CAN_LOG_IN, [role]);
      if (rows.length > 0 && !options.mayReset) throw otherSecret(role);
      const verifier = scramVerifier(rolePassword(role, secret), options.random.bytes(16));
      await client.query(`alter role ${role} login password '${verifier}'`);
    }
  });
}

const CAN_LOG_IN = `select from pg_roles where rolname = $1 and rolcanlogin`;

function otherSecret(role: AppRole): OperatingError {
  const message =
    `${role} was set up with another AUTH_SECRET. Set the one that the other nodes have; to ` +
    'change it for good, stop all nodes and run: npm run cli -- migrate --new-secret';
  return new OperatingError('roles_not_ready', message, { retryable: false });
}

/** Class 28 is "may not log in"; anything else (no server, no such database) is not an answer. */
async function canLogIn(url: string): Promise<boolean> {
  try {
    return await withClient(url, async () => true);
  } catch (error) {
    if (stateOf(error)?.startsWith('28')) return false;
    throw error;
  }
}

/** RFC 5803: what Postgres itself would store for this password. */
function scramVerifier(password: string, salt: Uint8Array): string {
  const iterations = 4_096;
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const clientKey = createHmac('sha256', salted).update('Client Key').digest();
  const storedKey = createHash('sha256').update(clientKey).digest('base64');
  const serverKey = createHmac('sha256', salted).update('Server Key').digest('base64');
  const saltText = Buffer.from(salt).toString('base64');
  return `SCRAM-SHA-256$${iterations}:${saltText}$${storedKey}:${serverKey}`;
}

type Rights = { role: string; superuser: boolean; bypasses: boolean; owns: boolean };

/**
 * Why this connection must not serve; empty when it may. Tenants are separated by the database,
 * and the database does not separate them for a superuser, an owner or a role that bypasses the
 * policies.
 */
export async function servingProblems(url: string): Promise<string[]> {
  const { rows } = await withClient(url, (client) => client.query<Rights>(RIGHTS));
  const [rights] = rows;
  if (!rights) return ['the database did not say who we are'];
  const problems = [];
  if (rights.superuser) problems.push(`${rights.role} is a superuser`);
  if (rights.bypasses) problems.push(`${rights.role} bypasses row level security`);
  if (rights.owns) problems.push(`${rights.role} owns tables or is a member of their owner`);
  return problems;
}

const RIGHTS = `
select current_user::text as role, rolsuper as superuser, rolbypassrls as bypasses,
  exists (select from pg_class join pg_namespace n on n.oid = relnamespace
          where nspname = 'public' and relkind in ('r', 'p')
            and pg_has_role(current_user, relowner, 'member')) as owns
from pg_roles where rolname = current_user`;
