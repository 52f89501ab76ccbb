import { createClient, type SeatingClient } from '@voelgoed/client/client';
import { tokenGiver } from './session.ts';
import { settings } from './settings.ts';

const clients = new Map<string, SeatingClient>();

/** The way to the server, for one event: a guest is somebody else in every event. */
export function clientFor(eventId: string): SeatingClient {
  const name = settings.demo ? '' : eventId;
  const known = clients.get(name);
  if (known) return known;
  const made = createClient({ address: location.origin, token: tokenGiver(name) });
  clients.set(name, made);
  return made;
}

/** For what everybody may see. */
export const anybody = createClient({ address: location.origin });
