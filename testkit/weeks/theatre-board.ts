import { seatingColumns } from '@voelgoed/engine/allocation';
import { Board, BoardPlan } from '@voelgoed/engine/board';
import { generateLayout } from '@voelgoed/engine/generator';
import { uuidOf } from '@voelgoed/engine/kit';
import { type Layout, normaliseLayout } from '@voelgoed/engine/layouts';
import { DEFAULT_POLICY, type SeatingPolicy, zoneHasSeats } from '@voelgoed/engine/policies';

/** As the demo has it. */
const THEATRE = { preset: 'theatre', rows: 18, balcony_rows: 6 };
const YEAR_MS = 365 * 24 * 3_600_000;

/** The demo theatre on sale, with nobody in it. */
export function theatreBoard(policy: Partial<SeatingPolicy>, start_ms: number): Board {
  const drawn = generateLayout(THEATRE);
  if (drawn.kind !== 'generated') throw new Error('the theatre can be drawn');
  let ids = 0;
  const newId = () => uuidOf('week', String(ids++));
  const layout = normaliseLayout(drawn.config, { previous: [], newId });
  const zones = layout.zones.map(({ zone_id, name, zone_type, capacity }) => ({
    zone_id,
    name,
    zone_type,
    has_seats: zoneHasSeats(zone_type),
    capacity,
    access_mode: 'public' as const,
    membership_tier: null,
    allowed_roles: [],
    disabled: false,
    whitelist: [],
    price_cents: null,
  }));
  const event = {
    status: 'published' as const,
    sale_opens_ms: 0,
    sale_closes_ms: start_ms + YEAR_MS,
    rescheduled: true,
    ends_ms: start_ms + YEAR_MS,
  };
  const config = { version: 1, event, policy: { ...DEFAULT_POLICY, ...policy }, zones };
  const count = layout.seats.length;
  return new Board(planOf(layout), {
    revision: 1,
    hash: 'week',
    at_ms: start_ms,
    config: { ...config, currency: 'ZAR', layout: null },
    codes: new Uint8Array(count),
    versions: new Uint32Array(count),
    counts: zones.map(() => ({ held: 0, sold: 0, blocked: 0 })),
    holds: [],
    checkouts: [],
    tasks: [],
    keyed: [],
  });
}

function planOf(layout: Layout): BoardPlan {
  const { seats } = layout;
  let end = 0;
  return new BoardPlan({
    ...seatingColumns(layout),
    seatIds: Buffer.from(seats.map(({ seat_id }) => seat_id.replaceAll('-', '')).join(''), 'hex'),
    numbers: Int32Array.from(seats, ({ number }) => number),
    labels: seats.map(({ label }) => label).join(''),
    labelEnds: Uint32Array.from(seats, ({ label }) => {
      end += label.length;
      return end;
    }),
  });
}
