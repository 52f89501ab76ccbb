import { BoardPlan, type RowName } from '#board';
import { assert } from '#kit';
import type { Postgres, Transaction } from '#postgres';
import type { Scope } from '#scope';
import { LABEL_SEPARATOR, readPlanRows, readPlanSeats } from './load.sql.ts';

/** One reading of seats: a few milliseconds of unpacking, then others have their turn. */
export const PORTION = 10_000;

export const NO_SEATS = new BoardPlan({
  seatIds: new Uint8Array(),
  zones: new Uint16Array(),
  runs: new Uint32Array(),
  numbers: new Int32Array(),
  rows: new Uint32Array(),
  rowNames: [],
  labels: '',
  labelEnds: new Uint32Array(),
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
  };
  const labels: string[] = [];
  let end = 0;
  for (let from = 0; from < seatCount; from += PORTION) {
    const [part] = await transaction.query(
      readPlanSeats(organizationId, layout_id, version, from, from + PORTION),
    );
    assert(part?.ids && part.zones && part.runs && part.numbers && part.labels, 'seats are there');
    columns.seatIds.set(part.ids, from * 16);
    unpack16(part.zones, columns.zones, from);
    unpack32(part.runs, columns.runs, from);
    unpack32(part.numbers, columns.numbers, from);
    const names = part.labels.split(LABEL_SEPARATOR);
    names.forEach((name, index) => {
      end += name.length;
      columns.labelEnds[from + index] = end;
    });
    labels.push(names.join(''));
  }
  const rows = await transaction.query(readPlanRows(organizationId, layout_id, version));
  rows.forEach(({ first }, index) => {
    columns.rows.fill(index, first, rows[index + 1]?.first ?? seatCount);
  });
  const rowNames: RowName[] = rows.map(({ section, row_name }) => ({ section, row: row_name }));
  return new BoardPlan({ ...columns, rowNames, labels: labels.join('') });
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
