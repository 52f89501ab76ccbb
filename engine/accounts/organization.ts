export type OrganizationStatus = 'active' | 'suspended' | 'archived';

/** From each state to which: an archived organization stays archived. */
const NEXT: Readonly<Record<OrganizationStatus, readonly OrganizationStatus[]>> = {
  active: ['suspended', 'archived'],
  suspended: ['active', 'archived'],
  archived: [],
};

export function mayBecome(from: OrganizationStatus, to: OrganizationStatus): boolean {
  return NEXT[from].includes(to);
}
