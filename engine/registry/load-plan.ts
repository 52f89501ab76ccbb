import { measureSeats, SeatingPlan } from '#allocation';
import {
  BoardPlan,
  PARTY_GROUPS,
  type PartyGroup,
  type RowName,
  type SeatGroup,
  SeatIndex,
} from '#board';
import { assert, inTurns, uuidText } from '#kit';
import type { Postgres, Transaction } from '#postgres';
import type { Scope } from '#scope';
import { readFocalPoints, readGroups, readPlanSeats, SECTION_END, SEPARATOR } from './load.sql.ts';

/** One reading of seats: a few milliseconds of unpacking, then others have their turn. */
export const PORTION = 4_000;

export const NO_SEATS = new BoardPlan({
  seatIds: new Uint8Array(),
  zones: new Uint16Array(),
  runs: new Uint32Array(),
  numbers: new Int32Array(),
  rows: new Uint32Array(),
  rowNames: [],
  labels: '',
  labelEnds: new Uint32Array(),
  x: new Int32Array(),
  y: new Int32Array(),
  categories: new Uint8Array(),
  companionOf: new Int32Array(),
  focalPoints: [],
});

/** Enough for the largest plan a dozen times; the longest unused leave first. */
const LIMIT_BYTES = 128 * 1024 * 1024;

/** Plans of layout versions, which never change: read once, shared by all events on them. */
export class PlanCache {
  readonly #postgres: Postgres;
  readonly #plans = new Map<string, Promise<BoardPlan>>();
  readonly #bytes = new Map<string, number>();

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  async get(
    scope: Scope,
    layout: { layout_id: string; version: number } | null,
    seatCount: number,
  ): Promise<BoardPlan> {
    if (!layout) return NO_SEATS;
    const name = `${scope.organizationId} ${layout.layout_id} ${layout.version}`;
    const plan = this.#plans.get(name) ?? this.#read(scope, layout, seatCount);
    this.#plans.delete(name);
    this.#plans.set(name, plan);
    try {
      this.#bytes.set(name, (await plan).bytes);
    } catch (error) {
      this.#plans.delete(name);
      throw error;
    }
    this.#evict();
    return plan;
  }

  #evict(): void {
    let bytes = [...this.#bytes.values()].reduce((sum, one) => sum + one, 0);
    for (const name of this.#plans.keys()) {
      if (bytes <= LIMIT_BYTES) return;
      bytes -= this.#bytes.get(name) ?? 0;
      this.#plans.delete(name);
      this.#bytes.delete(name);
    }
  }

  #read(
    scope: Scope,
    layout: { layout_id: string; version: number },
    seatCount: number,
  ): Promise<BoardPlan> {
    return this.#postgres.transaction(scope, { name: 'plan.read' }, (transaction) =>
      readPlan(transaction, scope, layout, seatCount),
    );
  }
}

export async function readPlan(
  transaction: Transaction,
  { organizationId }: Scope,
  { layout_id, version }: { layout_id: string; version: number },
  seatCount: number,
): Promise<BoardPlan> {
  const columns = {
    seatIds: new Uint8Array(seatCount * 16),
    zones: new Uint16Array(seatCount),
    runs: new Uint32Array(seatCount),
    numbers: new Int32Array(seatCount),
    rows: new Uint32Array(seatCount),
    labelEnds: new Uint32Array(seatCount),
    x: new Int32Array(seatCount),
    y: new Int32Array(seatCount),
    categories: new Uint8Array(seatCount),
    companionOf: new Int32Array(seatCount).fill(-1),
  };
  const pairs: Buffer[] = [];
  const rings = new Set<number>();
  const labels: string[] = [];
  const rows = new RowNames();
  const index = new SeatIndex(columns.seatIds);
  let end = 0;
  for (let from = 0; from < seatCount; from += PORTION) {
    const [part] = await transaction.query(
      readPlanSeats(organizationId, layout_id, version, from, from + PORTION),
    );
    assert(part?.ids && part.zones && part.runs && part.numbers, 'seats are there');
    columns.seatIds.set(part.ids, from * 16);
    index.fillTo(Math.min(from + PORTION, seatCount));
    unpack16(part.zones, columns.zones, from);
    unpack32(part.runs, columns.runs, from);
    unpack32(part.numbers, columns.numbers, from);
    unpackPlaces(part, columns, from);
    if (part.companions) pairs.push(part.companions);
    const { rings: round } = part;
    for (let at = 0; round && at < round.length; at += 4) rings.add(round.readInt32BE(at));
    const names = (part.labels ?? '').split(SEPARATOR);
    names.forEach((name, index) => {
      end += name.length;
      columns.labelEnds[from + index] = end;
    });
    labels.push(names.join(''));
    (part.rows ?? '').split(SEPARATOR).forEach((name, index) => {
      columns.rows[from + index] = rows.numberOf(name, columns.zones[from + index] ?? 0);
    });
  }
  for (const pair of pairs) unpackPairs(pair, index, columns.companionOf);
  const focalPoints = await transaction.query(readFocalPoints(organizationId, layout_id, version));
  const names = { rowNames: rows.names, labels: labels.join('') };
  const kinds = await transaction.query(
    readGroups(organizationId, layout_id, version, PARTY_GROUPS),
  );
  const groups = kinds.flatMap(({ kind, pairs }) => unpackGroups(kind, pairs, index));
  const all = { ...columns, ...names, focalPoints, rings, groups };
  const measured = await inTurns(measureSeats(all));
  return new BoardPlan(all, index, new SeatingPlan(all, measured));
}

type Places = Readonly<{ x: Buffer | null; y: Buffer | null; categories: string | null }>;
type PlaceColumns = Readonly<{ x: Int32Array; y: Int32Array; categories: Uint8Array }>;

function unpackPlaces({ x, y, categories }: Places, into: PlaceColumns, from: number): void {
  assert(x && y && categories, 'seats are somewhere and something');
  unpack32(x, into.x, from);
  unpack32(y, into.y, from);
  for (let index = 0; index < categories.length; index++) {
    into.categories[from + index] = categories.charCodeAt(index) - 48;
  }
}

/** An ordinal and the id of a wheelchair space, again and again. */
const PAIR_BYTES = 20;

function unpackPairs(pairs: Buffer, index: SeatIndex, companionOf: Int32Array): void {
  for (let from = 0; from < pairs.length; from += PAIR_BYTES) {
    const space = index.find(uuidText(pairs, from + 4));
    companionOf[pairs.readInt32BE(from)] = space ?? -1;
  }
}

function unpackGroups(kind: PartyGroup, pairs: Buffer, index: SeatIndex): SeatGroup[] {
  const groups = new Map<number, number[]>();
  for (let from = 0; from < pairs.length; from += PAIR_BYTES) {
    const seat = index.find(uuidText(pairs, from + 4));
    assert(seat !== undefined, 'a group has seats of its layout');
    const number = pairs.readInt32BE(from);
    const seats = groups.get(number) ?? [];
    groups.set(number, seats);
    seats.push(seat);
  }
  return [...groups.values()].map((seats) => ({ kind, seats: seats.sort((a, b) => a - b) }));
}

/** A row is one stretch of seats, so a new one begins where the name or the zone changes. */
class RowNames {
  readonly names: RowName[] = [];
  #last: { name: string; zone: number } | null = null;

  numberOf(name: string, zone: number): number {
    if (this.#last?.name !== name || this.#last.zone !== zone) {
      this.#last = { name, zone };
      const parts = name.split(SECTION_END);
      const [section, row = ''] = parts.length > 1 ? parts : [null, name];
      this.names.push({ section: section ?? null, row });
    }
    return this.names.length - 1;
  }
}

export function unpack32(bytes: Buffer, into: Uint32Array | Int32Array, from: number): void {
  for (let index = 0; index < bytes.length / 4; index++) {
    into[from + index] = bytes.readInt32BE(index * 4);
  }
}

function unpack16(bytes: Buffer, into: Uint16Array, from: number): void {
  for (let index = 0; index < bytes.length / 2; index++) {
    into[from + index] = bytes.readUInt16BE(index * 2);
  }
}
