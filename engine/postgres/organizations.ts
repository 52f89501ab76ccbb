import { createHmac } from 'node:crypto';
import type pg from 'pg';

/**
 * The organization of a transaction, signed. Row level security believes a serving role only what
 * its node has signed for this very connection, so that an altered statement cannot choose another
 * organization. The key is derived from the password of the role, which every node has; the
 * database keeps it in a table that only its checking function may read.
 */

/** What the database itself knows of a connection and no statement can change. */
export type Backend = Readonly<{ pid: number; port: number }>;

/** Asked, for behind a pooler the pid of the protocol is not the backend's. */
const BACKEND = 'select pg_backend_pid() as pid, coalesce(inet_client_port(), 0) as port';

export async function backendOf(client: Pick<pg.ClientBase, 'query'>): Promise<Backend> {
  const { rows } = await client.query<Backend>(BACKEND);
  const [backend] = rows;
  if (!backend) throw new Error('the database did not say which backend this is');
  return backend;
}

/** The block of SHA-256, to which HMAC fills its key. */
const BLOCK = 64;
const INNER = 0x36;
const OUTER = 0x5c;

export class OrganizationKey {
  readonly #key: Buffer;

  constructor(rolePassword: string) {
    this.#key = createHmac('sha256', rolePassword).update('organizations').digest();
  }

  /** The value of `voelgoed.organization_id` for a transaction of this organization. */
  sign(organizationId: string, { pid, port }: Backend): string {
    const text = `${organizationId}/${pid}/${port}`;
    return `${organizationId}.${createHmac('sha256', this.#key).update(text).digest('hex')}`;
  }

  /** As the database keeps it: what HMAC puts before the inner and the outer message. */
  get halves(): Readonly<{ inner: Buffer; outer: Buffer }> {
    return { inner: this.#mixed(INNER), outer: this.#mixed(OUTER) };
  }

  #mixed(byte: number): Buffer {
    const block = Buffer.alloc(BLOCK);
    this.#key.copy(block);
    return block.map((one) => one ^ byte) as Buffer;
  }
}
