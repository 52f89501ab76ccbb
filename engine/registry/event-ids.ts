import type { EventIds } from '#telemetry';
import type { EventRef } from './ports.ts';

/** An event and whose it is, as log lines name them. */
export function eventIds({ scope, eventId }: EventRef): EventIds {
  return { organization_id: scope.organizationId, event_id: eventId };
}
