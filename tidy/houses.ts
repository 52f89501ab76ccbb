/**
 * A house may import the houses before it. `testkit` and `bench` stand last, because they look at
 * everything and nothing that ships looks at them.
 */
export const HOUSES = [
  'client',
  'web',
  'engine',
  'server',
  'faults',
  'ops',
  'testkit',
  'bench',
] as const;

/** The engine stays usable without a network: it knows neither the wire nor the screen. */
export const CLOSED_TO_ENGINE: readonly string[] = ['client', 'web'];

/** A room may import the rooms before it. A house that is not named here has no order. */
export const ROOM_ORDER: Readonly<Record<string, readonly string[]>> = {
  client: [
    'wire',
    'host',
    'shapes',
    'failures',
    'clock',
    'transport',
    'live',
    'webhooks',
    'routes',
    'groups',
    'client',
    'packing',
  ],
  web: [
    'scene',
    'view',
    'paint',
    'map',
    'element',
    'words',
    'shop',
    'parts',
    'seats',
    'cart',
    'pages',
    'event',
    'desk-words',
    'desk',
    'desk-parts',
    'office',
    'door',
    'plans',
    'organiser',
    'dashboard',
    'records',
    'staff',
    'worker',
    'app',
  ],
  engine: [
    'kit',
    'scope',
    'reading',
    'telemetry',
    'postgres',
    'redis',
    'audit',
    'idempotency',
    'accounts',
    'policies',
    'geometry',
    'layouts',
    'generator',
    'pretix',
    'workshop',
    'events',
    'tickets',
    'checkouts',
    'allocation',
    'board',
    'registry',
    'warm',
    'webhooks',
    'workflows',
    'jobs',
  ],
  server: [
    'config',
    'embedded',
    'outgoing',
    'tokens',
    'metrics',
    'tracing',
    'overload',
    'http',
    'limits',
    'stream',
    'site',
    'routes',
    'demo',
    'doctor',
    'cli',
    'processes',
  ],
};

export type Place = Readonly<{ house: string; room: string; name: string }>;

/** Where a file of a house stands; undefined for files outside the houses and outside a room. */
export function placeOf(file: string): Place | undefined {
  const [house, room, name, ...deeper] = file.split('/');
  if (!house || !room || !name || deeper.length > 0 || !isHouse(house)) return undefined;
  return { house, room, name };
}

export function isHouse(name: string): boolean {
  return (HOUSES as readonly string[]).includes(name);
}

export function doorOf(place: Place): string {
  return `${place.house}/${place.room}/${place.room}.ts`;
}

export function isDoor(place: Place): boolean {
  return place.name === `${place.room}.ts`;
}
