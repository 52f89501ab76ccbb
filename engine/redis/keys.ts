/** The keys of one event: all in one slot of a cluster, because what is in braces is the same. */
export type EventKeys = ReturnType<typeof eventKeys>;

/** Every key begins with its organization; a seat's id repeats in every event of its layout. */
export function eventKeys(organizationId: string, eventId: string) {
  const prefix = `voelgoed:{org:${organizationId}:event:${eventId}}:`;
  return {
    /** Who has the seat, or is about to. */
    seatHold: (seatId: string) => `${prefix}seat:${seatId}:hold`,
    /** Live holds by when they end. */
    seatHolds: `${prefix}seat_holds`,
    holdMeta: (holdId: string) => `${prefix}hold:${holdId}:meta`,
    /** Two bits per seat, as the API has them. */
    bitmap: `${prefix}seats:bitmap`,
    /** Of which revision all of this is, and the numbers of the zones. */
    revision: `${prefix}seats:revision`,
    occupancy: `${prefix}occupancy`,
    /** A channel: what has changed, never who. */
    changes: `${prefix}changes`,
  };
}

/** What belongs to an organization and to no event. */
export function organizationKeys(organizationId: string) {
  const prefix = `voelgoed:{org:${organizationId}}:`;
  return {
    layoutConfig: (layoutId: string, version: number) =>
      `${prefix}layout:${layoutId}:v${version}:config`,
    limit: (kind: string, who: string) => `${prefix}limit:${kind}:${who}`,
  };
}

/** Channels of all events. */
export const CHANGES_PATTERN = 'voelgoed:{org:*:event:*}:changes';

/** Whose channel it is; null: not one of ours. */
export function eventOfChannel(channel: string): string | null {
  return /^voelgoed:\{org:[^:}]+:event:([^:}]+)\}:changes$/.exec(channel)?.[1] ?? null;
}
