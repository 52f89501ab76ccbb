import { statement } from '#postgres';
import type { OrganizationStatus } from './organization.ts';

type Row = {
  organization_id: string;
  slug: string;
  name: string;
  status: OrganizationStatus;
};

export const findOrganization = statement<Row, [organizationId: string]>(
  'organizations.find',
  `select organization_id, slug, name, status from organizations where organization_id = $1`,
);

export const insertOrganization = statement<
  { organization_id: string },
  [organizationId: string, slug: string, name: string]
>(
  'organizations.insert',
  `insert into organizations (organization_id, slug, name) values ($1, $2, $3)
   on conflict do nothing returning organization_id`,
);

export const lookupOrganization = statement<
  { organization_id: string; status: OrganizationStatus },
  [slug: string]
>('organizations.lookup', `select organization_id, status from lookup_organization($1)`);
