import {
  Board,
  type BoardConfig,
  type BoardContent,
  type BoardPlan,
  type BoardTask,
  type BoardZone,
  type EventTimes,
  type Hold,
  type HoldSource,
} from '#board';
import type { EventRow } from '#events';
import { assert, inTurns, nextTurn, uuidText } from '#kit';
import { type AccessMode, DEFAULT_POLICY, readPolicy, type ZoneType } from '#policies';
import type { Transaction } from '#postgres';
import {
  type BoardRow,
  readBoard,
  readHolds,
  readKeyed,
  readOwners,
  readSeats,
  readZones,
  type ZoneRow,
} from './load.sql.ts';
import { PORTION, unpack32 } from './load-plan.ts';
import type { EventRef } from './ports.ts';
import { readOpenCheckouts } from './sales.sql.ts';

/** How an event sells, from its row. */
export function timesOf(
  event: Pick<
    EventRow,
    'status' | 'sale_starts_at' | 'sale_ends_at' | 'ends_at' | 'rescheduled_at'
  >,
): EventTimes {
  return {
    status: event.status,
    sale_opens_ms: event.sale_starts_at === null ? 0 : Date.parse(event.sale_starts_at),
    sale_closes_ms: Date.parse(event.sale_ends_at ?? event.ends_at),
    rescheduled: event.rescheduled_at !== null,
    ends_ms: Date.parse(event.ends_at),
  };
}

/**
 * Everything of a board as the transaction sees it, which must see one moment (repeatable read, or
 * under the event's lock). Seats come in portions, so that others have their turn in between.
 */
export async function loadContent(
  transaction: Transaction,
  { scope, eventId }: EventRef,
  planOf: (layout: BoardConfig['layout'], seatCount: number) => Promise<BoardPlan>,
): Promise<{ plan: BoardPlan; content: BoardContent } | null> {
  const { organizationId } = scope;
  const [row] = await transaction.query(readBoard(organizationId, eventId));
  if (!row) return null;
  const zones = await transaction.query(readZones(organizationId, eventId));
  const config = configOf(row, zones);
  const plan = await planOf(config.layout, row.seat_count);
  const codes = new Uint8Array(row.seat_count);
  const versions = new Uint32Array(row.seat_count);
  for (let from = 0; from < row.seat_count; from += PORTION) {
    const [part] = await transaction.query(
      readSeats(organizationId, eventId, from, from + PORTION),
    );
    assert(part?.codes && part.versions, 'every seat of the plan is on the board');
    for (let index = 0; index < part.codes.length; index++) {
      codes[from + index] = part.codes.charCodeAt(index) - 48;
    }
    unpack32(part.versions, versions, from);
  }
  const holds = await loadHolds(transaction, { scope, eventId }, plan, zones);
  const content = {
    revision: row.revision,
    hash: row.hash,
    at_ms: row.at_ms,
    config,
    codes,
    versions,
    counts: zones.map(({ held, sold, blocked }) => ({ held, sold, blocked })),
    released: zones.flatMap((zone, number) => (zone.companions_released ? [number] : [])),
    holds,
    checkouts: (await transaction.query(readOpenCheckouts(organizationId, eventId))).map(
      ({ checkout }) => checkout,
    ),
    tasks: (row.tasks ?? []) as BoardTask[],
    keyed: await loadKeyed(transaction, { scope, eventId }),
    owners: await loadOwners(transaction, { scope, eventId }, plan),
  };
  return { plan, content };
}

/** Holds are put on the board in portions: fifty thousand at once take a fifth of a second. */
const HOLD_PORTION = 500;

export async function loadBoard(
  transaction: Transaction,
  event: EventRef,
  planOf: (layout: BoardConfig['layout'], seatCount: number) => Promise<BoardPlan>,
  pause: () => Promise<void>,
): Promise<Board | null> {
  const loaded = await loadContent(transaction, event, planOf);
  if (!loaded) return null;
  const { plan, content } = loaded;
  const board = new Board(plan, { ...content, holds: [] });
  for (let from = 0; from < content.holds.length; from += HOLD_PORTION) {
    board.restore(content.holds.slice(from, from + HOLD_PORTION));
    await pause();
  }
  // Made now, in turns: the first wish that needs it holds the event's lock.
  await inTurns(board.indexing());
  return board;
}

function configOf(row: BoardRow, zones: readonly ZoneRow[]): BoardConfig {
  const read = readPolicy(row.policy ?? DEFAULT_POLICY);
  assert(read.kind === 'policy', 'a stored policy is readable');
  const { layout_id, layout_version } = row;
  return {
    version: row.config_version,
    event: timesOf(row as BoardRow & { status: EventTimes['status'] }),
    policy: read.policy,
    zones: zones.map(zoneOf),
    currency: row.currency,
    layout: layout_id === null ? null : { layout_id, version: layout_version ?? 0 },
  };
}

/** Without what is the board's own. */
function zoneOf(row: ZoneRow): BoardZone {
  const { held: _held, sold: _sold, blocked: _blocked, companions_released: _, ...zone } = row;
  return {
    ...zone,
    zone_type: zone.zone_type as ZoneType,
    access_mode: zone.access_mode as AccessMode,
  };
}

type PackedHold = [
  hold_id: string,
  user_id: string,
  cart_token: string,
  seat_id: string | null,
  zone_id: string | null,
  quantity: number,
  created_ms: number,
  until_ms: number,
  source: HoldSource,
  ip: string | null,
  made_by: string | null,
  notes: string | null,
  checkout_id: string | null,
  people: string[] | null,
  unjudged: boolean,
  settled: number | null,
];

async function loadHolds(
  transaction: Transaction,
  { scope, eventId }: EventRef,
  plan: BoardPlan,
  zones: readonly ZoneRow[],
): Promise<Hold[]> {
  const portions = await transaction.query(readHolds(scope.organizationId, eventId));
  const numbers = new Map(zones.map(({ zone_id }, index) => [zone_id, index]));
  const holds: Hold[] = [];
  for (const { holds: text } of portions) {
    for (const packed of JSON.parse(text) as PackedHold[])
      holds.push(unpack(packed, plan, numbers));
  }
  return holds;
}

/** Who has bought the wheelchair spaces whose companion seats are kept for their owners. */
async function loadOwners(
  transaction: Transaction,
  { scope, eventId }: EventRef,
  plan: BoardPlan,
): Promise<(readonly [ordinal: number, userId: string])[]> {
  const spaces = [...plan.seating.companions.keys()].map((ordinal) => plan.seatIdOf(ordinal));
  if (spaces.length === 0) return [];
  const rows = await transaction.query(readOwners(scope.organizationId, eventId, spaces));
  return rows.flatMap(({ seat_id, user_id }) => {
    const ordinal = plan.ordinalOf(seat_id);
    return ordinal === undefined ? [] : [[ordinal, user_id] as const];
  });
}

async function loadKeyed(
  transaction: Transaction,
  { scope, eventId }: EventRef,
): Promise<string[]> {
  const keyed: string[] = [];
  for (const { users } of await transaction.query(readKeyed(scope.organizationId, eventId))) {
    for (let from = 0; from < users.length; from += 16) keyed.push(uuidText(users, from));
    await nextTurn();
  }
  return keyed;
}

function unpack(packed: PackedHold, plan: BoardPlan, zones: ReadonlyMap<string, number>): Hold {
  const [hold_id, user_id, cart_token, seat_id, zone_id, quantity, created_ms, until_ms] = packed;
  const [, , , , , , , , source, ip, made_by, notes, checkout_id, ...rest] = packed;
  const [people, unjudged, settled] = rest;
  const ordinal = seat_id === null ? -1 : plan.ordinalOf(seat_id);
  assert(ordinal !== undefined, 'a held seat is in the plan');
  const zone = ordinal >= 0 ? plan.zoneOf(ordinal) : zones.get(zone_id ?? '');
  assert(zone !== undefined, 'a held place is in a zone');
  const who = { hold_id, user_id, cart_token, ordinal, zone, quantity };
  const named = {
    ...(people ? { people } : {}),
    ...(unjudged ? { unjudged: true as const } : {}),
    ...(settled ? { settled } : {}),
  };
  return { ...who, created_ms, until_ms, source, ip, made_by, notes, checkout_id, ...named };
}
