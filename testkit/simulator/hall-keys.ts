import { eventKeys } from '@voelgoed/engine/redis';
import { EVENT, SEAT_IDS } from './hall.ts';

const KEYS = eventKeys(EVENT.scope.organizationId, EVENT.eventId);

/** The keys of the hall in Redis, seats by ordinal. */
export function eventKeysOf() {
  const { bitmap, revision, seatHolds } = KEYS;
  return {
    bitmap,
    revision,
    seatHolds,
    seatHold: (ordinal: number) => KEYS.seatHold(SEAT_IDS[ordinal] ?? ''),
  };
}
