import type { Point } from '#geometry';
import type { ImportedZone } from './imported-zones.ts';
import type { PretixPlan } from './read-plan.ts';
import type { Labels } from './seat-names.ts';

/** What became of a plan, for the person who imported it. */
export type ImportReport = Readonly<{
  zones: number;
  rows: number;
  seats: number;
  /** What was taken over in another way than it was written. */
  changed: readonly ImportNote[];
  /** What was not taken over. */
  left_out: readonly ImportNote[];
  /** The plan's id of every seat and its label here, to move tickets that were sold there. */
  seat_guids: readonly Readonly<{ seat_guid: string; label: string }>[];
}>;

type ImportNote = Readonly<{ code: string; count: number; message: string }>;

/** A plan on its way to a config. */
export type ImportWork = {
  plan: PretixPlan;
  zones: readonly ImportedZone[];
  labels: Labels;
  by_guid: ReadonlyMap<string, string>;
  stage: Point | undefined;
  seat_size: number;
  numbers_made: number;
};

export function reportOf(work: ImportWork): ImportReport {
  const { plan, zones, labels } = work;
  const rows = zones.reduce((sum, zone) => sum + zone.rows.size, 0);
  const seat_guids = [...labels.of].map(([{ guid }, label]) => ({ seat_guid: guid, label }));
  return Object.freeze({
    zones: plan.zones.length,
    rows,
    seats: labels.of.size,
    changed: Object.freeze(changedNotes(work)),
    left_out: Object.freeze(leftOutNotes(work)),
    seat_guids: Object.freeze(seat_guids),
  });
}

/** Notes that say something; a count of 0 says nothing. */
function notes(...all: readonly (readonly [code: string, count: number, message: string])[]) {
  return all
    .filter(([, count]) => count > 0)
    .map(([code, count, message]): ImportNote => ({ code, count, message }));
}

function changedNotes({ plan, zones, labels, ...work }: ImportWork): ImportNote[] {
  const parts = new Map<string, number>();
  for (const { plan_zone } of zones) parts.set(plan_zone, (parts.get(plan_zone) ?? 0) + 1);
  const split = [...parts.values()].filter((count) => count > 1).length;
  const rows = zones.flatMap((zone) => [...zone.rows.values()]);
  const joined = rows.filter((row) => row.pieces.length > 1).length;
  const unnamed = plan.zones.flatMap((zone) => zone.rows).filter((row) => row.name === '').length;
  const repeated = labels.of.size - work.by_guid.size;
  return notes(
    ['zones_split', split, 'Zones with several categories became one zone for each category.'],
    ['rows_joined', joined, 'Rows of one name in a zone became one row with aisles.'],
    ['rows_named', unnamed, 'Rows without a name got a number.'],
    ['labels_marked', labels.marked, 'Seats with the same zone, row and number got a mark.'],
    ['numbers_made', work.numbers_made, 'Seat numbers that are no plain number got one.'],
    ['guids_repeated', repeated, 'Seats share their seat_guid with another seat.'],
    ['stage_found', work.stage ? 1 : 0, 'The stage became the focal point.'],
    [
      'seats_narrowed',
      work.seat_size < plan.seat_width ? 1 : 0,
      `Seats are drawn over each other, so a seat counts as ${work.seat_size} wide.`,
    ],
  );
}

function leftOutNotes({ plan }: ImportWork): ImportNote[] {
  const areas = plan.zones.flatMap((zone) => zone.areas);
  const scenery = areas.filter((area) => area.extension?.capacity === undefined);
  const texts = [...new Set(scenery.map((area) => area.text).filter((text) => text !== ''))];
  const named = texts.length > 0 ? `: ${texts.slice(0, 20).join(', ')}` : '';
  const empty = plan.zones.filter(
    (zone) =>
      zone.extension.capacity === undefined && !zone.rows.some((row) => row.seats.length > 0),
  );
  const fields = [...plan.ignored].map(
    ([field, count]) => [`field:${field}`, count, `${field} has no meaning here.`] as const,
  );
  return notes(
    ['areas', scenery.length, `Drawn areas are not taken over${named}.`],
    ['empty_zones', empty.length, 'Zones without seats and without a capacity of ours.'],
    ...fields,
  );
}
