import { saleState, saleTime } from './board-config.ts';
import { type BoardState, type Hold, SEAT, wordOf } from './board-state.ts';
import {
  type Facts,
  type HoldCommand,
  type HoldItem,
  type Refused,
  type RefusedItem,
  refused,
} from './commands.ts';

/** What a wish for a seat or for places means on this board. */
export type Wanted =
  | Readonly<{ kind: 'seat'; ordinal: number; own: Hold | undefined; people: readonly string[] }>
  | Readonly<{ kind: 'places'; zone: number; quantity: number; people: readonly string[] }>;

type Judged = Wanted | Readonly<{ kind: 'no'; item: RefusedItem }>;

/** Is anything sold now? Staff may hold for a caller before and after the sale. */
export function refuseSale(
  state: BoardState,
  command: HoldCommand,
  facts: Pick<Facts, 'now_ms' | 'wall_ms' | 'organizationActive'>,
): Refused | null {
  const { event } = state.config;
  const sale = saleState(event, saleTime(facts));
  if (!facts.organizationActive || sale === 'not_available') {
    return refused('event_not_available', [], { status: event.status });
  }
  return sale === 'open' || command.made_by !== null ? null : refused('event_sales_closed');
}

/** Every item of the wish by itself; the zone's room is judged for all of them together. */
export function judgeItems(
  state: BoardState,
  command: HoldCommand,
  now_ms: number,
): { wanted: Wanted[]; items: RefusedItem[] } {
  const judged = distinct(command.items).map((item) => judgeItem(state, command, item, now_ms));
  const wanted = judged.filter((one) => one.kind !== 'no');
  const items = judged.flatMap((one) => (one.kind === 'no' ? [one.item] : []));
  return { wanted, items: [...items, ...withoutRoom(state, wanted)] };
}

/** A seat that is named twice is wished for once. */
function distinct(items: readonly HoldItem[]): readonly HoldItem[] {
  if (items.length < 2) return items;
  const seats = new Set<string>();
  return items.filter((item) => {
    if (!('seat_id' in item)) return true;
    const known = seats.has(item.seat_id.toLowerCase());
    seats.add(item.seat_id.toLowerCase());
    return !known;
  });
}

function judgeItem(
  state: BoardState,
  command: HoldCommand,
  item: HoldItem,
  now_ms: number,
): Judged {
  if ('seat_id' in item) return judgeSeat(state, command, item, now_ms);
  const { quantity, people = [] } = item;
  const zone_id = item.zone_id.toLowerCase();
  const zone = state.config.zones.findIndex((one) => one.zone_id === zone_id);
  const found = state.config.zones[zone];
  if (!found || found.has_seats) return no({ zone_id, code: 'zone_not_found' });
  if (found.disabled) return no({ zone_id, code: 'block_at_capacity', zone });
  return { kind: 'places', zone, quantity, people };
}

function judgeSeat(
  state: BoardState,
  command: HoldCommand,
  { seat_id, people = [] }: HoldItem & { seat_id: string },
  now_ms: number,
): Judged {
  const ordinal = state.plan.ordinalOf(seat_id);
  if (ordinal === undefined) return no({ seat_id, code: 'seat_not_found' });
  const about = { seat_id, label: state.plan.labelOf(ordinal), ordinal };
  const code = state.codeOf(ordinal);
  const hold = state.holdOfSeat(ordinal);
  if (hold && hold.until_ms > now_ms) {
    if (hold.user_id === command.user_id) return { kind: 'seat', ordinal, own: hold, people: [] };
    return no({ ...about, code: 'seat_held_by_another_user', until_ms: hold.until_ms });
  }
  if (code !== SEAT.available || state.isClosing(ordinal)) {
    const current_status = state.isClosing(ordinal) ? 'blocked' : wordOf(code);
    return no({ ...about, code: 'seat_not_available', current_status });
  }
  return { kind: 'seat', ordinal, own: undefined, people };
}

/** Two wishes for places of one zone need room for both. */
function withoutRoom(state: BoardState, wanted: readonly Wanted[]): RefusedItem[] {
  const needed = new Map<number, number>();
  for (const one of wanted) {
    if (one.kind === 'places') needed.set(one.zone, (needed.get(one.zone) ?? 0) + one.quantity);
  }
  return [...needed].flatMap(([zone, quantity]) => {
    if (quantity <= roomIn(state, zone)) return [];
    const zone_id = state.config.zones[zone]?.zone_id ?? '';
    return [{ zone_id, zone, code: 'block_at_capacity' as const }];
  });
}

export function roomIn(state: BoardState, zone: number): number {
  const { held, sold, blocked } = state.countsOf(zone);
  return (state.config.zones[zone]?.capacity ?? 0) - held - sold - blocked;
}

function no(item: RefusedItem): Judged {
  return { kind: 'no', item };
}
