import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import type pg from 'pg';
import { OperatingError, type Random } from '#kit';
import { editAddress } from './addresses.ts';
import { withClient } from './client.ts';
import { stateOf } from './failures.ts';
import { oldWriters } from './old-nodes.ts';
import { OrganizationKey } from './organizations.ts';

/** Roles that sign the organization of every transaction. */
const SIGNING_ROLES = ['voelgoed_app', 'voelgoed_jobs'] as const;
/** The roles that serve. They own nothing, so row level security binds them. */
export const APP_ROLES = [...SIGNING_ROLES, 'voelgoed_writer'] as const;
export type AppRole = (typeof APP_ROLES)[number];

/** Where the serving roles log in: for requests, for background work, and for flushes. */
export type ServingUrls = Readonly<{ appUrl: string; jobsUrl: string; writerUrl: string }>;

export function servingUrls(ownerUrl: string, secret: string): ServingUrls {
  return {
    appUrl: loginUrl(ownerUrl, 'voelgoed_app', secret),
    jobsUrl: loginUrl(ownerUrl, 'voelgoed_jobs', secret),
    writerUrl: loginUrl(ownerUrl, 'voelgoed_writer', secret),
  };
}

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
 * Lets the serving roles log in and sign. Does nothing when they already can. Roles that have
 * another password are left alone unless `mayReset`: another secret here is more likely a mistake
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
  await withClient(ownerUrl, async (client) => {
    // One node at a time: two that alter the same role at once make Postgres fail one of them.
    await client.query(`select pg_advisory_lock(hashtext('voelgoed logins'))`);
    for (const role of missing) {
      // Another node may have been quicker, in the time that this one has waited for the lock.
      if (await canLogIn(loginUrl(ownerUrl, role, secret))) continue;
      const { rows } = await client.query(CAN_LOG_IN, [role]);
      if (rows.length > 0 && !options.mayReset) throw otherSecret(role);
      const verifier = scramVerifier(rolePassword(role, secret), options.random.bytes(16));
      await client.query(`alter role ${role} login password '${verifier}'`);
    }
    await keepKeys(client, secret, options.mayReset || missing.length > 0);
    await client.query(NO_TEMPORARY_TABLES);
  });
}

/**
 * A temporary table hides the table of its name from every later statement of the same connection.
 * The right belongs to the database, which a restore or a copy makes anew. Who does not own the
 * database gets a warning of Postgres here and a finding of the doctor.
 */
const NO_TEMPORARY_TABLES = `do $$
begin
  if has_database_privilege('voelgoed_app', current_database(), 'temporary') then
    execute format('revoke temporary on database %I from public', current_database());
  end if;
end $$`;

type KeyRow = { role_name: (typeof SIGNING_ROLES)[number]; inner_key: Buffer | null };

/**
 * The keys that signatures are checked with, of roles that must sign: those that have a row. They
 * follow the passwords, so that a restore on another server or a new secret brings its own.
 */
async function keepKeys(client: pg.Client, secret: string, mayReset: boolean): Promise<void> {
  const { rows } = await client.query<KeyRow>(KEYS);
  for (const { role_name, inner_key } of rows) {
    const { inner, outer } = new OrganizationKey(rolePassword(role_name, secret)).halves;
    if (inner_key?.equals(inner)) continue;
    if (inner_key && !mayReset) throw otherSecret(role_name);
    await client.query(KEEP_KEY, [role_name, inner, outer]);
  }
}

const KEYS = 'select role_name, inner_key from organization_keys';
const KEEP_KEY = `update organization_keys set inner_key = $2, outer_key = $3
  where role_name = $1`;

/**
 * Whether the serving roles must sign. Nodes of 0.1.0 do not, so a database that they have served
 * accepts both until an operator says that they are gone. While one of them writes this is refused
 * unless forced: it would answer 503 to everything and still say that it is ready.
 */
export async function requireSigned(
  ownerUrl: string,
  secret: string,
  mustSign: boolean,
  options: { force?: boolean } = {},
): Promise<void> {
  if (mustSign && !options.force) {
    const old = await oldWriters(loginUrl(ownerUrl, 'voelgoed_app', secret));
    if (old.length > 0) throw oldNodes(old);
  }
  await withClient(ownerUrl, async (client) => {
    await client.query('begin');
    await client.query(mustSign ? MUST_SIGN : NEED_NOT_SIGN, [SIGNING_ROLES]);
    await keepKeys(client, secret, false);
    await client.query('commit');
  });
}

const MUST_SIGN = `insert into organization_keys (role_name) select unnest($1::text[])
  on conflict do nothing`;
const NEED_NOT_SIGN = `delete from organization_keys where role_name = any ($1)`;

function oldNodes(addresses: readonly string[]): OperatingError {
  const message =
    `Nodes of 0.1.0 write to this database, from ${addresses.join(', ')}. They would answer 503 ` +
    'to everything, and their /health/ready would still say 200. Stop them and run this again; ' +
    'their connections are gone at once. With --force it is done nevertheless.';
  return new OperatingError('old_nodes', message, { retryable: false });
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
