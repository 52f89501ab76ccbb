import type { LayoutConfig, SeatConfig } from './layout-config.ts';
import type { Layout } from './layout-model.ts';

/**
 * `previous` are earlier versions whose ids are kept, the first before the next; `newId` makes
 * others.
 */
export type LayoutIds = Readonly<{ previous: readonly Layout[]; newId: () => string }>;

/** Gives ids to a new version: those stated, then those of the previous version, then new ones. */
export type IdKeeper = {
  zone(stated: Stated, name: string): string;
  seat(stated: Stated, label: string): string;
  group(stated: Stated, group_type: string, seat_ids: readonly string[]): string;
};

type Stated = string | null | undefined;

export function keepIds(
  config: LayoutConfig,
  flat: readonly SeatConfig[],
  { previous, newId }: LayoutIds,
): IdKeeper {
  // A map keeps what is set last: so the least preferred version goes first.
  const versions = [...previous].reverse();
  const zones = new Map(
    versions.flatMap(({ zones }) => zones.map((zone) => [zone.name, zone.zone_id] as const)),
  );
  const seats = new Map(
    versions.flatMap(({ seats }) => seats.map((seat) => [seat.label, seat.seat_id] as const)),
  );
  const groups = new Map(
    versions.flatMap(({ groups }) =>
      groups.map(
        ({ group_type, seat_ids, group_id }) => [groupKey(group_type, seat_ids), group_id] as const,
      ),
    ),
  );
  // An id that the config states for one thing is not inherited by another of the old name.
  const claimed = new Set([
    ...config.zones.map((zone) => zone.zone_id?.toLowerCase()),
    ...flat.map((seat) => seat.seat_id?.toLowerCase()),
    ...(config.groups ?? []).map((group) => group.group_id?.toLowerCase()),
  ]);
  const keep = (known: ReadonlyMap<string, string>) => (stated: Stated, name: string) => {
    if (stated) return stated.toLowerCase();
    const old = known.get(name);
    if (old === undefined || claimed.has(old)) return newId();
    claimed.add(old);
    return old;
  };
  const keepGroup = keep(groups);
  return {
    zone: keep(zones),
    seat: keep(seats),
    group: (stated, type, seat_ids) => keepGroup(stated, groupKey(type, seat_ids)),
  };
}

function groupKey(group_type: string, seat_ids: readonly string[]): string {
  return `${group_type}\n${[...seat_ids].sort().join('\n')}`;
}
