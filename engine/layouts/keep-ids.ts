import type { GroupConfig, LayoutConfig, SeatConfig } from './layout-config.ts';
import type { Layout } from './layout-model.ts';

/** Gives ids to a new version: those stated, then those of the previous version, then new ones. */
export type IdKeeper = {
  zone(stated: string | null | undefined, name: string): string;
  seat(stated: string | null | undefined, label: string): string;
  group(stated: string | null | undefined, group_type: string, seat_ids: readonly string[]): string;
};

export function keepIds(
  config: LayoutConfig,
  seats: readonly SeatConfig[],
  source: { previous: Layout | null; newId: () => string },
): IdKeeper {
  const { previous, newId } = source;
  const zones = inherit(previous?.zones ?? [], (zone) => [zone.name, zone.zone_id]);
  const labels = inherit(previous?.seats ?? [], (seat) => [seat.label, seat.seat_id]);
  const groups = inherit(previous?.groups ?? [], (group) => [
    groupKey(group.group_type, group.seat_ids),
    group.group_id,
  ]);
  // An id that the config states for one thing is not inherited by another of the old name.
  const claimed = new Set([
    ...config.zones.map((zone) => zone.zone_id?.toLowerCase()),
    ...seats.map((seat) => seat.seat_id?.toLowerCase()),
    ...(config.groups ?? []).map((group: GroupConfig) => group.group_id?.toLowerCase()),
  ]);
  const keep = (known: ReadonlyMap<string, string>) => (stated: Stated, name: string) => {
    if (stated) return stated.toLowerCase();
    const old = known.get(name);
    return old !== undefined && !claimed.has(old) ? old : newId();
  };
  const keepGroup = keep(groups);
  return {
    zone: keep(zones),
    seat: keep(labels),
    group: (stated, type, seat_ids) => keepGroup(stated, groupKey(type, seat_ids)),
  };
}

type Stated = string | null | undefined;

function inherit<T>(things: readonly T[], entry: (thing: T) => [string, string]) {
  return new Map(things.map(entry));
}

function groupKey(group_type: string, seat_ids: readonly string[]): string {
  return `${group_type}\n${[...seat_ids].sort().join('\n')}`;
}
