import { systemClock, systemRandom } from '@voelgoed/engine/kit';
import type { Postgres } from '@voelgoed/engine/postgres';
import {
  type EventRef,
  PostgresStore,
  SeatRegistry,
  type SeatRegistryOptions,
} from '@voelgoed/engine/registry';
import { type Happening, recordingTelemetry } from '@voelgoed/engine/telemetry';
import { afterEach } from 'vitest';
import { anEngine, anOrganization, aPublishedEvent, newId } from '#builders';
import { type TestDatabase, useDatabase } from '#database';

/** An event on sale: its seats by ordinal, its zone without seats, and who buys. */
export type Sale = EventRef &
  Readonly<{ seats: readonly string[]; floor: string; buyers: readonly string[] }>;

type Wanted = {
  seats?: number;
  places?: number;
  buyers?: number;
  /** What should be different about the zone without seats. */
  zone?: object;
  /** Another plan altogether. */
  config?: object;
};

export type TestNode = Readonly<{
  registry: SeatRegistry;
  store: PostgresStore;
  happenings: readonly Happening[];
  /** How often something happened. */
  count(kind: Happening['kind']): number;
}>;

const PER_ROW = 50;

export function useSales() {
  const database = useDatabase();
  const nodes: SeatRegistry[] = [];
  afterEach(async () => {
    await Promise.all(nodes.splice(0).map((registry) => registry.stop()));
  });
  const node = (
    settings: Partial<SeatRegistryOptions> & {
      postgres?: Postgres;
      wrap?: (store: PostgresStore) => SeatRegistryOptions['store'];
    } = {},
  ): TestNode => {
    const telemetry = recordingTelemetry();
    const { postgres = database.postgres, wrap, ...given } = settings;
    const store = new PostgresStore(postgres);
    const tools = { clock: systemClock, random: systemRandom, telemetry };
    const feed = { publish: () => {} };
    const parts = { ...tools, store: wrap ? wrap(store) : store, feed, ...given };
    const registry = new SeatRegistry(parts);
    nodes.push(registry);
    const { happenings } = telemetry;
    const count = (kind: Happening['kind']) => happenings.filter((one) => one.kind === kind).length;
    return { registry, store, happenings, count };
  };
  return { database, node, open: (wanted: Wanted = {}) => openSale(database, wanted) };
}

/** An event on sale in any database. */
export async function openSale(
  database: Pick<TestDatabase, 'postgres' | 'asSuperuser'>,
  wanted: Wanted = {},
): Promise<Sale> {
  const { seats: count = 20, places = 100, buyers: people = 6 } = wanted;
  const scope = await anOrganization(database.postgres);
  const stalls = { name: 'Stalls', zone_type: 'reserved_seating', seats: seatsOf(count) };
  const floor = { name: 'Floor', zone_type: 'ga_standing', capacity: places, ...wanted.zone };
  const engine = anEngine(database.postgres);
  const { eventId } = await aPublishedEvent(engine, scope, {
    config: wanted.config ?? { seat_size: 9, zones: [stalls, floor] },
    overrides: {
      seating_overrides: { orphan_avoidance_strict: false, max_seats_per_booking: 1_000 },
    },
  });
  await engine.registry.stop();
  const buyers = Array.from({ length: people }, newId);
  await database.asSuperuser(
    `insert into users (organization_id, user_id, subject)
     select $1, id, id::text from unnest($2::uuid[]) as id`,
    [scope.organizationId, buyers],
  );
  const rows = await database.asSuperuser(
    'select seat_id from event_seats where event_id = $1 order by ordinal',
    [eventId],
  );
  const [zone] = await database.asSuperuser(
    `select zone_id from event_zones where event_id = $1 and name = 'Floor'`,
    [eventId],
  );
  const seats = rows.map(({ seat_id }) => String(seat_id));
  return { scope, eventId, seats, floor: String(zone?.zone_id), buyers };
}

function seatsOf(count: number): object[] {
  return Array.from({ length: count }, (_, index) => {
    const row = `R${Math.floor(index / PER_ROW) + 1}`;
    const number = (index % PER_ROW) + 1;
    const coordinates = { x: number * 10, y: Math.floor(index / PER_ROW) * 12 };
    return { label: `${row}-${number}`, row, number, coordinates };
  });
}
