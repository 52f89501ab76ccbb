import { statement } from '#postgres';
import type { OrganizationStatus } from './organization.ts';

export type OrganizationRow = {
  organization_id: string;
  slug: string;
  name: string;
  status: OrganizationStatus;
  currency: string;
  timezone: string;
  created_at: string;
};

const COLUMNS = `organization_id, slug, name, status, currency, timezone, created_at`;

export const findOrganization = statement<OrganizationRow, [organizationId: string]>(
  'organizations.find',
  `select ${COLUMNS} from organizations where organization_id = $1`,
);

export const insertOrganization = statement<
  OrganizationRow,
  [organizationId: string, slug: string, name: string]
>(
  'organizations.insert',
  `insert into organizations (organization_id, slug, name) values ($1, $2, $3)
   on conflict do nothing returning ${COLUMNS}`,
);

export const setOrganizationStatus = statement<
  OrganizationRow,
  [organizationId: string, status: OrganizationStatus]
>(
  'organizations.set_status',
  `update organizations set status = $2 where organization_id = $1 returning ${COLUMNS}`,
);

export const lookupOrganization = statement<
  { organization_id: string; status: OrganizationStatus },
  [slug: string]
>('organizations.lookup', `select organization_id, status from lookup_organization($1)`);

export const lookupOrganizations = statement<
  { organization_id: string; slug: string; status: OrganizationStatus },
  [after: string, most: number]
>(
  'organizations.lookup_all',
  `select organization_id, slug, status from lookup_organizations($1, $2)`,
);
