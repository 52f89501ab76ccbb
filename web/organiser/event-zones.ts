import type { EventWithPlan } from '@voelgoed/client/client';
import { desk } from '#desk';

/** What an event sells, zone by zone, as its plan has it. */
export type EventZone = Readonly<{
  zone_id: string;
  name: string;
  zone_type: string;
  capacity: number;
  access_mode: string;
}>;

type Overrides = { zone_overrides?: Record<string, { access_mode?: string; zone_type?: string }> };

/** Zones of an event, drafts too: its own, or those of its layout with what it does differently. */
export async function zonesOf(event: EventWithPlan): Promise<readonly EventZone[]> {
  const { layout } = event;
  if (!layout) return [];
  const { zone_overrides = {} } = (layout.overrides ?? {}) as Overrides;
  const zones = layout.layout_id
    ? await layoutZones(layout.layout_id, layout.layout_version ?? undefined)
    : ((layout.zones ?? []) as EventZone[]);
  return zones.map((zone) => ({ ...zone, ...zone_overrides[zone.zone_id] }));
}

async function layoutZones(layoutId: string, version?: number): Promise<EventZone[]> {
  const query = version === undefined ? {} : { version };
  const { zones } = await desk.client.layouts.config(layoutId, query);
  return zones.map(({ zone_id, name, zone_type, access_mode, capacity, seats, rows }) => ({
    zone_id: zone_id ?? '',
    name,
    zone_type,
    access_mode: access_mode ?? 'public',
    capacity: capacity ?? seats?.length ?? (rows ?? []).flatMap((row) => row.seats).length,
  }));
}
