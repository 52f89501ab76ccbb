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

export const listIssuers = statement<IssuerRow, [organizationId: string]>(
  'issuers.list',
  `select ${COLUMNS} from issuers where organization_id = $1 order by issuer limit 100`,
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
