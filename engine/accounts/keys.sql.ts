import { statement } from '#postgres';
import type { OrganizationStatus } from './organization.ts';

export const lookupKey = statement<{ organization_id: string }, [keyId: string]>(
  'keys.lookup',
  `select organization_id from lookup_api_key($1)`,
);

export const findKeyForLogin = statement<
  {
    secret_hash: Buffer;
    scopes: string[];
    live: boolean;
    organization_status: OrganizationStatus;
  },
  [organizationId: string, keyId: string]
>(
  'keys.find_for_login',
  `select k.secret_hash, k.scopes, o.status as organization_status,
     k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) as live
   from api_keys k join organizations o using (organization_id)
   where k.organization_id = $1 and k.key_id = $2`,
);

export const touchKeys = statement<object, [organizationId: string, keyIds: readonly string[]]>(
  'keys.touch',
  `update api_keys set last_used_at = now()
   where organization_id = $1 and key_id = any ($2::uuid[])
     and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
  { repeatable: true },
);

export type KeyRow = {
  key_id: string;
  name: string;
  scopes: string[];
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  replaces: string | null;
  live: boolean;
};

const COLUMNS = `key_id, name, scopes, created_at, expires_at, revoked_at, last_used_at, replaces,
     revoked_at is null and (expires_at is null or expires_at > now()) as live`;

export const listKeys = statement<KeyRow, [organizationId: string, after: string, most: number]>(
  'keys.list',
  `select ${COLUMNS} from api_keys
   where organization_id = $1 and key_id > $2 order by key_id limit $3`,
);

export const findKey = statement<KeyRow, [organizationId: string, keyId: string]>(
  'keys.find',
  `select ${COLUMNS} from api_keys where organization_id = $1 and key_id = $2 for update`,
);

export const insertKey = statement<
  KeyRow,
  [
    organizationId: string,
    keyId: string,
    name: string,
    secretHash: Buffer,
    scopes: readonly string[],
    createdBy: string | null,
    expiresInDays: number | null,
    replaces: string | null,
  ]
>(
  'keys.insert',
  `insert into api_keys (organization_id, key_id, name, secret_hash, scopes, created_by,
     expires_at, replaces)
   values ($1, $2, $3, $4, $5, $6, now() + make_interval(days => $7::int), $8)
   returning ${COLUMNS}`,
);

/** A successor: the same name and scopes, and as long a life as the old key was given. */
export const insertSuccessor = statement<
  KeyRow,
  [
    organizationId: string,
    keyId: string,
    secretHash: Buffer,
    createdBy: string | null,
    replaces: string,
  ]
>(
  'keys.insert_successor',
  `insert into api_keys (organization_id, key_id, name, secret_hash, scopes, created_by,
     expires_at, replaces)
   select organization_id, $2, name, $3, scopes, $4, now() + (expires_at - created_at), key_id
   from api_keys where organization_id = $1 and key_id = $5
   returning ${COLUMNS}`,
);

/** Never later than it would have ended anyway. */
export const endKey = statement<object, [organizationId: string, keyId: string, inHours: number]>(
  'keys.end',
  `update api_keys set expires_at = least(expires_at, now() + make_interval(hours => $3::int))
   where organization_id = $1 and key_id = $2`,
);

export const revokeKey = statement<KeyRow, [organizationId: string, keyId: string]>(
  'keys.revoke',
  `update api_keys set revoked_at = now()
   where organization_id = $1 and key_id = $2 and revoked_at is null returning ${COLUMNS}`,
);

export const findSuccessor = statement<{ key_id: string }, [organizationId: string, keyId: string]>(
  'keys.successor',
  `select key_id from api_keys
   where organization_id = $1 and replaces = $2 and revoked_at is null`,
);
