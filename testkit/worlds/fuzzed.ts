import { systemClock } from '@voelgoed/engine/kit';
import {
  type Credential,
  type FuzzWorld,
  type OpenApi,
  type Operation,
  operationsOf,
} from '@voelgoed/faults/fuzz';
import { signPayment } from '@voelgoed/server/routes';
import { newId } from '#builders';
import { call } from '#servers';
import { aHybridHall } from '#shows';
import {
  aDraftWithAll,
  anEventWithAll,
  anOrganizationWithAll,
  type WorldOptions,
} from './organizations.ts';

type FuzzOptions = WorldOptions & Readonly<{ platformSecret: string; paymentSecret: string }>;

/** Two organizations on a node, and everything that the fuzzer has to know to ask about one. */
export async function aFuzzWorld(options: FuzzOptions): Promise<FuzzWorld> {
  const { address, platformSecret, paymentSecret, hook } = options;
  const mine = await anOrganizationWithAll(options);
  const other = await anOrganizationWithAll(options);
  const described = (await (await fetch(`${address}/openapi.json`)).json()) as OpenApi;
  const bearer = (name: string, token: string): Credential => ({ name, header: `Bearer ${token}` });
  let person = mine.mark;
  const right = ({ path }: Operation): Credential => {
    if (path.startsWith('/api/platform')) return bearer('platform', platformSecret);
    if (path.startsWith('/api/admin')) return bearer('owner', mine.token('owner'));
    if (path.startsWith('/api/tickets/')) return bearer('scanner', mine.token('scanner'));
    return bearer('buyer', mine.token('customer', person));
  };
  return {
    address,
    operations: operationsOf(described),
    ids: merged(mine.ids, other.ids),
    spared: new Set([mine.scope.organizationId, other.scope.organizationId]),
    samples: samplesOf(mine.ids.venue_id?.[0] ?? ''),
    sign: (body) => ({
      'x-signature': signPayment(
        paymentSecret,
        body.toString(),
        Math.floor(systemClock.now() / 1_000),
      ),
    }),
    urls: [hook, 'https://hooks.example/x', 'http://127.0.0.1:9/'],
    credentials: (operation) => [
      right(operation),
      bearer('key', mine.key),
      bearer('viewer', mine.token('viewer')),
      bearer('stranger', other.token('owner')),
      bearer('forger', `${mine.token('owner').slice(0, -5)}AAAAA`),
      { name: 'nobody', header: null },
    ],
    secrets: [other.mark],
    refresh: async () => {
      // Whatever it became meanwhile, it shall not keep everybody from buying.
      await call(address, 'PUT /api/admin/policy', { token: mine.token('owner'), body: LENIENT });
      person = `${mine.mark}-${newId()}`;
      const organization = await call(address, 'POST /api/platform/organizations', {
        token: platformSecret,
        body: { slug: `spare-${newId().slice(-12)}`, name: 'Spare' },
      });
      const spare = { organization_id: [String(organization.data.organization_id)] };
      const draft = { ...(await aDraftWithAll(options, mine)), ...spare };
      return [draft, await anEventWithAll(options, mine, person)];
    },
  };
}

const LENIENT = { max_seats_per_booking: 10, allow_vip_zones: true, hold_rate_seats: 1_000 };

/** Ours first: what is older in the pool is asked about longer. */
function merged(mine: FuzzWorld['ids'], other: FuzzWorld['ids']): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(mine).map(([kind, ids]) => [kind, [...ids, ...(other[kind] ?? []).slice(0, 1)]]),
  );
}

/** Routes that take whole documents say "an object"; these are such objects. */
function samplesOf(venue_id: string): Record<string, object[]> {
  const plan = { config: aHybridHall(), name: 'Plan', venue_id };
  const seat = { seat_guid: 'g1', seat_number: '1', category: 'Good', position: { x: 0, y: 0 } };
  const rows = [{ row_number: 'A', position: { x: 0, y: 0 }, seats: [seat] }];
  const pretix = {
    name: 'Their plan',
    categories: [{ name: 'Good', color: '#fff' }],
    size: { width: 100, height: 100 },
    zones: [{ name: 'Floor', position: { x: 0, y: 0 }, rows, areas: [] }],
  };
  const keys = [
    { name: 'k', scopes: ['buy'] },
    { name: 'k', scopes: ['events:read'] },
  ];
  const policies = [
    LENIENT,
    { default_hold_ttl_minutes: 5 },
    { max_holds_per_user: 20, allow_orphan: true },
    { hold_rate_minutes: 5, hold_rate_seats: 500 },
  ];
  return {
    'POST /api/admin/api-keys': keys,
    'POST /api/admin/layouts': [plan, { venue_id, config: aHybridHall() }],
    'POST /api/admin/layouts/validate': [aHybridHall()],
    'POST /api/admin/layouts/generate': [{ preset: 'festival' }, { preset: 'theatre' }],
    'POST /api/admin/layouts/import': [pretix],
    'PUT /api/admin/policy': policies,
    'PUT /api/platform/organizations/{id}/policy': policies,
  };
}
