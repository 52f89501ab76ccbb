import { countIssuers, deleteIssuer, type IssuerRow, insertIssuer, listIssuers } from '#accounts';
import { uuidv7 } from '#kit';
import { type Caller, change, changed, type Done, type Engine, type KeyReused } from './change.ts';

/** One for each login provider that an organization has, and some that are on their way out. */
export const MOST_ISSUERS = 100;

export type NewIssuer = Readonly<{
  issuer: string;
  jwksUri: string;
  audience: string;
  algorithms: readonly string[];
}>;

export function listTokenIssuers(
  engine: Pick<Engine, 'postgres'>,
  caller: Pick<Caller, 'scope'>,
): Promise<IssuerRow[]> {
  const { scope } = caller;
  return engine.postgres.ask(scope, listIssuers(scope.organizationId), { pool: 'logins' });
}

export function registerIssuer(
  engine: Engine,
  caller: Caller,
  wanted: NewIssuer,
): Promise<Done<IssuerRow> | { kind: 'issuer_taken' } | { kind: 'too_many' } | KeyReused> {
  const id = uuidv7(engine);
  const { issuer, jwksUri, audience, algorithms } = wanted;
  return change(engine, caller, 'issuer.register', async (transaction) => {
    const [count] = await transaction.query(countIssuers(caller.scope.organizationId));
    if ((count?.issuers ?? 0) >= MOST_ISSUERS) return { kind: 'too_many' as const };
    const [row] = await transaction.query(
      insertIssuer(caller.scope.organizationId, id, issuer, jwksUri, audience, algorithms),
    );
    if (!row) return { kind: 'issuer_taken' as const };
    const entry = {
      action: 'issuer_registered',
      entityType: 'issuer',
      entityId: id,
      changes: { issuer, jwks_uri: jwksUri, audience, algorithms },
    } as const;
    return changed(row, [entry]);
  });
}

export function removeIssuer(
  engine: Engine,
  caller: Caller,
  issuerId: string,
): Promise<Done<{ issuer_id: string }> | { kind: 'not_found' } | KeyReused> {
  return change(engine, caller, 'issuer.remove', async (transaction) => {
    const [row] = await transaction.query(deleteIssuer(caller.scope.organizationId, issuerId));
    if (!row) return { kind: 'not_found' as const };
    const entry = {
      action: 'issuer_removed',
      entityType: 'issuer',
      entityId: issuerId,
      changes: { issuer: row.issuer },
    } as const;
    return changed({ issuer_id: issuerId }, [entry]);
  });
}
