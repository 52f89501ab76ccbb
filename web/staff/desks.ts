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
    path: at('/venues'),
    scope: 'layouts:read',
    load: () => import('#plans').then(({ VenuesPage }) => VenuesPage as Page),
  },
  {
    path: at('/layouts/{layout}'),
    scope: 'layouts:read',
    load: () => import('#plans').then(({ LayoutPage }) => LayoutPage as Page),
  },
  ...['/venues/{venue}/draw', '/layouts/{layout}/draw'].map(
    (address): DeskPage => ({
      path: at(address),
      scope: 'layouts:write',
      load: () => import('#plans').then(({ DrawPage }) => DrawPage as Page),
    }),
  ),
];

export type DeskLink = Readonly<{ href: string; label(): string; scope: Scope }>;

/** Of the organization: always in sight. */
export const DESK_LINKS: readonly DeskLink[] = [
  { href: '/staff', label: () => d().common.events, scope: 'events:read' },
  { href: '/staff/venues', label: () => d().plans.title, scope: 'layouts:read' },
];

/** Of one event: in sight wherever it is looked at, and on its line in the list. */
export const EVENT_LINKS: readonly DeskLink[] = [];
