import { statement } from '#postgres';

export type IssuerRow = {
  issuer_id: string;
  issuer: string;
  jwks_uri: string;
  audience: string;
  algorithms: string[];
  created_at: string;
};

const COLUMNS = `issuer_id, issuer, jwks_uri, audience, algorithms, created_at`;

/**
 * All of them, for tokens of one that is not read are refused. Two that are registered at the same
 * moment may be one more than there may be.
 */
export const listIssuers = statement<IssuerRow, [organizationId: string]>(
  'issuers.list',
  `select ${COLUMNS} from issuers where organization_id = $1 order by issuer limit 1000`,
);

export const countIssuers = statement<{ issuers: number }, [organizationId: string]>(
  'issuers.count',
  'select count(*) as issuers from issuers where organization_id = $1',
);

export const insertIssuer = statement<
  IssuerRow,
  [
    organizationId: string,
    issuerId: string,
    issuer: string,
    jwksUri: string,
    audience: string,
    algorithms: readonly string[],
  ]
>(
  'issuers.insert',
  `insert into issuers (organization_id, issuer_id, issuer, jwks_uri, audience, algorithms)
   values ($1, $2, $3, $4, $5, $6) on conflict do nothing returning ${COLUMNS}`,
);

export const deleteIssuer = statement<
  { issuer: string },
  [organizationId: string, issuerId: string]
>(
  'issuers.delete',
  `delete from issuers where organization_id = $1 and issuer_id = $2 returning issuer`,
);
