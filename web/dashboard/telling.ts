import type { ToldRow } from '@voelgoed/client/client';
import { d } from '#desk-words';
import { money } from '#words';

type Change = ToldRow['changes'][number];
type NameOf = (zoneId: string) => string;

/** As many as can be read at a glance. */
const MOST_LABELS = 4;

/** What a row of the log says, in a sentence for each thing that happened. */
export function tell({ changes }: ToldRow, nameOf: NameOf, currency: string): string[] {
  return changes.map((change) => sentence(change, nameOf, currency));
}

function sentence(change: Change, nameOf: NameOf, currency: string): string {
  const { kind, places = [], amount_cents, reason, note = reason } = change;
  const word = d().dashboard.kinds[kind] ?? kind;
  const where = placesOf(places, nameOf);
  const amount = amount_cents === undefined ? '' : ` (${money(amount_cents, currency)})`;
  const why = note ? ` · ${note}` : '';
  return `${where ? `${where}: ` : ''}${word}${amount}${why}`;
}

function placesOf(places: NonNullable<Change['places']>, nameOf: NameOf): string {
  const labels = places.flatMap(({ label }) => label ?? []);
  const areas = new Map<string, number>();
  for (const { label, zone_id, quantity } of places) {
    if (label === undefined) areas.set(zone_id, (areas.get(zone_id) ?? 0) + quantity);
  }
  const named = labels.slice(0, MOST_LABELS);
  const more = labels.length - named.length;
  return [
    ...named,
    ...(more > 0 ? [d().dashboard.andMore(more)] : []),
    ...[...areas].map(([zone, many]) => `${nameOf(zone)}, ${d().dashboard.places(many)}`),
  ].join(', ');
}
