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
  /** Where those go who do not want to pass all that is before it, by the id of the place. */
  skip?: Readonly<{ to: string; label(): string }>;
}>;

/** `{id}` stands for a UUID; the address is under /staff. */
function at(address: string): RegExp {
  const pattern = address.replace(/\{(\w+)\}/g, (_, name) => `(?<${name}>${UUID})`);
  return new RegExp(`^/staff${pattern}$`);
}

/** A page of a room that is fetched when somebody goes there. */
function of<Room extends object>(fetch: () => Promise<Room>) {
  return (name: keyof Room) => async () => (await fetch())[name] as Page;
}

const office = of(() => import('#office'));
const door = of(() => import('#door'));
const plans = of(() => import('#plans'));
const organiser = of(() => import('#organiser'));
const dashboard = of(() => import('#dashboard'));
const records = of(() => import('#records'));

export const DESK_PAGES: readonly DeskPage[] = [
  { path: at(''), scope: 'events:read', load: async () => EventsPage as Page },
  {
    path: at('/events/{id}/office'),
    scope: 'holds:read',
    load: office('OfficePage'),
    skip: { to: 'find', label: () => d().office.toFind },
  },
  { path: at('/door'), scope: 'tickets:scan', load: door('DoorChoice') },
  { path: at('/events/{id}/door'), scope: 'tickets:scan', load: door('DoorPage') },
  { path: at('/events/{id}/dashboard'), scope: 'figures:read', load: dashboard('DashboardPage') },
  { path: at('/events/{id}/replay'), scope: 'holds:read', load: dashboard('ReplayPage') },
  { path: at('/events/new'), scope: 'events:write', load: organiser('WizardPage') },
  { path: at('/events/{id}/plan'), scope: 'events:write', load: organiser('WizardPage') },
  { path: at('/events/{id}/setup'), scope: 'events:read', load: organiser('EventPage') },
  { path: at('/venues'), scope: 'layouts:read', load: plans('VenuesPage') },
  { path: at('/layouts/{layout}'), scope: 'layouts:read', load: plans('LayoutPage') },
  { path: at('/venues/{venue}/draw'), scope: 'layouts:write', load: plans('DrawPage') },
  { path: at('/layouts/{layout}/draw'), scope: 'layouts:write', load: plans('DrawPage') },
  { path: at('/policy'), scope: 'layouts:read', load: organiser('PolicyPage') },
  { path: at('/people'), scope: 'members:read', load: organiser('MembersPage') },
  { path: at('/access'), scope: 'keys:read', load: organiser('AccessPage') },
  { path: at('/webhooks'), scope: 'webhooks:read', load: organiser('WebhooksPage') },
  { path: at('/webhooks/{id}'), scope: 'webhooks:read', load: organiser('WebhookPage') },
  { path: at('/refunds'), scope: 'refunds:read', load: records('RefundsPage') },
  { path: at('/audit'), scope: 'audit:read', load: records('AuditPage') },
  { path: at('/refusals'), scope: 'audit:read', load: records('RefusalsPage') },
  { path: at('/registry'), scope: 'holds:read', load: records('RegistryPage') },
];

export type DeskLink = Readonly<{ href: string; label(): string; scope: Scope }>;

/** Of the organization: what is wanted all day is always in sight. */
export const DESK_LINKS: readonly DeskLink[] = [
  { href: '/staff', label: () => d().common.events, scope: 'events:read' },
  { href: '/staff/door', label: () => d().door.doors, scope: 'tickets:scan' },
];

/** And the rest in a menu, by what it is about. */
export const DESK_MENU: readonly Readonly<{ name(): string; links: readonly DeskLink[] }>[] = [
  {
    name: () => d().common.groups.plans,
    links: [
      { href: '/staff/venues', label: () => d().plans.title, scope: 'layouts:read' },
      { href: '/staff/policy', label: () => d().organiser.policy, scope: 'layouts:read' },
    ],
  },
  {
    name: () => d().common.groups.organization,
    links: [
      { href: '/staff/people', label: () => d().organiser.members, scope: 'members:read' },
      { href: '/staff/access', label: () => d().organiser.access, scope: 'keys:read' },
      { href: '/staff/webhooks', label: () => d().organiser.webhooks, scope: 'webhooks:read' },
    ],
  },
  {
    name: () => d().common.groups.records,
    links: [
      { href: '/staff/refunds', label: () => d().records.refunds, scope: 'refunds:read' },
      { href: '/staff/audit', label: () => d().records.audit, scope: 'audit:read' },
      { href: '/staff/refusals', label: () => d().records.refusals, scope: 'audit:read' },
      { href: '/staff/registry', label: () => d().records.registry, scope: 'holds:read' },
    ],
  },
];

/** Of one event: in sight wherever it is looked at, and on its line in the list. */
export const EVENT_LINKS: readonly DeskLink[] = [
  { href: '/staff/events/{id}/office', label: () => d().office.title, scope: 'holds:read' },
  { href: '/staff/events/{id}/door', label: () => d().door.title, scope: 'tickets:scan' },
  { href: '/staff/events/{id}/dashboard', label: () => d().dashboard.title, scope: 'figures:read' },
  { href: '/staff/events/{id}/replay', label: () => d().dashboard.replay, scope: 'holds:read' },
  { href: '/staff/events/{id}/setup', label: () => d().organiser.setup, scope: 'events:read' },
];
