import { scopeOf } from '@voelgoed/engine/scope';
import { changeSeatingPolicy, createEvent } from '@voelgoed/engine/workflows';
import type { CrowdEvent, CrowdOrganization } from '@voelgoed/faults/crowd';
import {
  aCaller,
  anActiveLayout,
  anEngine,
  anOrganization,
  aPublishedEvent,
  aShow,
  done,
} from '#builders';
import type { RigDatabase } from './databases.ts';

const MARKS = ['Quagga', 'Springbok'];
const EVENTS = 2;
const ROWS = 20;
const SEATS_PER_ROW = 25;
/** So few that they are often all taken. */
const PLACES = 40;
/** Nothing but the seats themselves stands in anybody's way. */
const GENEROUS = {
  hold_rate_seats: null,
  max_seats_per_booking: 1_000,
  orphan_avoidance_strict: false,
};

/** Two organizations with two events each on one layout of 500 seats. */
export async function aRigStage(database: RigDatabase, rows = ROWS): Promise<CrowdOrganization[]> {
  const { postgres } = database;
  const engine = anEngine(postgres);
  const organizations: CrowdOrganization[] = [];
  for (const mark of MARKS) {
    const scope = await anOrganization(postgres, { name: `Theatre ${mark}` });
    done(await changeSeatingPolicy(engine, aCaller({ scope }), GENEROUS, 'owner'));
    const layout = await anActiveLayout(engine, scope, aHall(mark, rows));
    const events: CrowdEvent[] = [];
    for (let index = 0; index < EVENTS; index++) {
      const { eventId } = await aPublishedEvent(engine, scope, { layout });
      events.push(await eventOf(database, eventId));
    }
    organizations.push({ organizationId: scope.organizationId, mark, events });
  }
  await engine.registry.stop();
  return organizations;
}

async function eventOf(database: RigDatabase, eventId: string): Promise<CrowdEvent> {
  const ids = async (text: string) =>
    (await database.asSuperuser(text, [eventId])).map(({ id }) => String(id));
  return { eventId, seats: await ids(SEATS), zones: await ids(ZONES) };
}

/** Short holds are for demo mode, whose shows would take longer to build than all of this. */
export async function emptyDemo({ postgres }: RigDatabase): Promise<void> {
  const engine = anEngine(postgres);
  const { organizationId } = await anOrganization(postgres, { slug: 'demo' });
  const caller = aCaller({ scope: scopeOf(organizationId) });
  for (const slug of ['theatre', 'festival', 'arena']) {
    done(await createEvent(engine, caller, { ...aShow(), slug }));
  }
  await engine.registry.stop();
}

/** The other way round it is another plan with the same seats. */
export function aHall(mark: string, rows = ROWS, isReversed = false): object {
  const seats = Array.from({ length: rows }, (_, y) =>
    Array.from({ length: SEATS_PER_ROW }, (_, x) => ({
      label: `${y + 1}-${x + 1}`,
      row: String(y + 1),
      number: x + 1,
      coordinates: { x: x * 10, y: y * 12 },
    })),
  ).flat();
  if (isReversed) seats.reverse();
  const floor = { name: `Floor ${mark}`, zone_type: 'ga_standing', capacity: PLACES };
  const stalls = { name: `Stalls ${mark}`, zone_type: 'reserved_seating', seats };
  return { seat_size: 9, zones: [stalls, floor] };
}

const SEATS = `select seat_id as id from event_seats where event_id = $1 order by ordinal`;
const ZONES = `select zone_id as id from event_zones where event_id = $1 and not has_seats`;
