export type OrganizationStatus = 'active' | 'suspended' | 'archived';

export type Organization = Readonly<{
  organizationId: string;
  slug: string;
  name: string;
  status: OrganizationStatus;
}>;
