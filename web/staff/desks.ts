import type { Component } from 'svelte';
import type { Scope } from '#desk';
import { d } from '#desk-words';
import EventsPage from './events-page.svelte';

const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

type Page = Component<Record<string, string>>;

/** One screen: its address, who may see it, and how it is fetched. */
export type DeskPage = Readonly<{
  /** Named groups are the page's properties. */
  path: RegExp;
  scope: Scope;
  load(): Promise<Page>;
}>;

/** `{id}` stands for a UUID; the address is under /staff. */
function at(address: string): RegExp {
  const pattern = address.replace(/\{(\w+)\}/g, (_, name) => `(?<${name}>${UUID})`);
  return new RegExp(`^/staff${pattern}$`);
}

export const DESK_PAGES: readonly DeskPage[] = [
  { path: at(''), scope: 'events:read', load: async () => EventsPage as Page },
  {
    path: at('/events/{id}/dashboard'),
    scope: 'holds:read',
    load: () => import('#dashboard').then(({ DashboardPage }) => DashboardPage as unknown as Page),
  },
  {
    path: at('/events/{id}/replay'),
    scope: 'holds:read',
    load: () => import('#dashboard').then(({ ReplayPage }) => ReplayPage as unknown as Page),
  },
  {
    path: at('/registry'),
    scope: 'holds:read',
    load: () => import('#records').then(({ RegistryPage }) => RegistryPage as Page),
  },
  {
    path: at('/audit'),
    scope: 'audit:read',
    load: () => import('#records').then(({ AuditPage }) => AuditPage as Page),
  },
  {
    path: at('/refunds'),
    scope: 'refunds:read',
    load: () => import('#records').then(({ RefundsPage }) => RefundsPage as Page),
  },
];

export type DeskLink = Readonly<{ href: string; label(): string; scope: Scope }>;

/** Of the organization: always in sight. */
export const DESK_LINKS: readonly DeskLink[] = [
  { href: '/staff', label: () => d().common.events, scope: 'events:read' },
  { href: '/staff/refunds', label: () => d().records.refunds, scope: 'refunds:read' },
  { href: '/staff/audit', label: () => d().records.audit, scope: 'audit:read' },
  { href: '/staff/registry', label: () => d().records.registry, scope: 'holds:read' },
];

/** Of one event: in sight wherever it is looked at, and on its line in the list. */
export const EVENT_LINKS: readonly DeskLink[] = [
  {
    href: '/staff/events/{id}/dashboard',
    label: () => d().dashboard.title,
    scope: 'holds:read',
  },
  { href: '/staff/events/{id}/replay', label: () => d().dashboard.replay, scope: 'holds:read' },
];
