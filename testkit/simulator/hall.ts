import { BoardPlan } from '@voelgoed/engine/board';
import { uuidOf } from '@voelgoed/engine/kit';
import { DEFAULT_POLICY } from '@voelgoed/engine/policies';
import { scopeOf } from '@voelgoed/engine/scope';

/** The reference size: fifty seats in five rows, and a floor without seats. */
export const SEATS = 50;
const PER_ROW = 10;
const PLACES = 12;

export const EVENT = { scope: scopeOf(uuidOf('organization')), eventId: uuidOf('event') };
export const SEAT_IDS = Array.from({ length: SEATS }, (_, ordinal) => {
  return uuidOf('seat', String(ordinal));
});
export const USERS = Array.from({ length: 8 }, (_, index) => uuidOf('user', String(index)));
export const FLOOR = uuidOf('zone', 'floor');

/** What people in a trace are called. */
export const NAMES: ReadonlyMap<string, string> = new Map([
  ...USERS.map((id, index) => [id, `user ${index}`] as const),
  ...SEAT_IDS.map((id, index) => [id, `seat ${index}`] as const),
  [FLOOR, 'the floor'],
]);

const ZONES = [
  { zone_id: uuidOf('zone', 'stalls'), name: 'Stalls', has_seats: true },
  { zone_id: FLOOR, name: 'Floor', has_seats: false },
];

export const CONFIG = {
  version: 1,
  event: {
    status: 'published',
    sale_opens_ms: 0,
    sale_closes_ms: Number.MAX_SAFE_INTEGER,
    rescheduled: false,
    ends_ms: Number.MAX_SAFE_INTEGER,
  },
  policy: { ...DEFAULT_POLICY, orphan_avoidance_strict: false },
  zones: ZONES.map((zone) => ({
    ...zone,
    zone_type: zone.has_seats ? ('reserved_seating' as const) : ('ga_standing' as const),
    capacity: zone.has_seats ? SEATS : PLACES,
    access_mode: 'public' as const,
    membership_tier: null,
    allowed_roles: [],
    disabled: false,
    whitelist: [],
    price_cents: 100,
  })),
  currency: 'ZAR',
  layout: { layout_id: uuidOf('layout'), version: 1 },
} as const;

/** Made once: a plan never changes. */
export const PLAN = new BoardPlan({
  seatIds: Buffer.from(SEAT_IDS.join('').replaceAll('-', ''), 'hex'),
  zones: new Uint16Array(SEATS),
  runs: Uint32Array.from(SEAT_IDS, (_, ordinal) => Math.floor(ordinal / PER_ROW)),
  numbers: Int32Array.from(SEAT_IDS, (_, ordinal) => (ordinal % PER_ROW) + 1),
  rows: Uint32Array.from(SEAT_IDS, (_, ordinal) => Math.floor(ordinal / PER_ROW)),
  rowNames: ['A', 'B', 'C', 'D', 'E'].map((row) => ({ section: null, row })),
  labels: SEAT_IDS.map((_, ordinal) => String(ordinal + 10)).join(''),
  labelEnds: Uint32Array.from(SEAT_IDS, (_, ordinal) => (ordinal + 1) * 2),
  x: Int32Array.from(SEAT_IDS, (_, ordinal) => (ordinal % PER_ROW) * 1_000),
  y: Int32Array.from(SEAT_IDS, (_, ordinal) => Math.floor(ordinal / PER_ROW) * 1_000),
  // Seat 4 is a wheelchair space and 5 its companion's: most sales release them now and then.
  categories: Uint8Array.from(SEAT_IDS, (_, ordinal) => [0, 0, 0, 0, 1, 2][ordinal] ?? 0),
  companionOf: Int32Array.from(SEAT_IDS, (_, ordinal) => (ordinal === 5 ? 4 : -1)),
  focalPoints: [{ x: 0, y: 0 }],
});
