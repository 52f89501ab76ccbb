import { createClient, systemHost, type TokenReason } from '@voelgoed/client/client';
import { settings } from './settings.ts';
import { keep, keysKept, recall } from './storage.ts';

type Session = Readonly<{ token: string; user_id: string; expires_at: string }>;

/** Who may do nothing but look; also the one who asks for sessions. */
const nobody = createClient({ address: location.origin });

/** In demo mode one visitor for all events; else a guest of each event by itself. */
function nameOf(eventId: string): string {
  return settings.demo ? 'session.demo' : `session.${eventId}`;
}

export function tokenOf(eventId: string): string | null {
  return recall<Session>(nameOf(eventId))?.token ?? null;
}

/** The visitor's number, by which others name them. */
export function visitorOf(eventId: string): string | null {
  return recall<Session>(nameOf(eventId))?.user_id ?? null;
}

export function hasSession(eventId: string): boolean {
  return tokenOf(eventId) !== null;
}

/** Two clicks at once ask for one session. */
const asking = new Map<string, Promise<string>>();

/** Longer than any way from the first seat to the ticket takes. */
const ENOUGH_MS = 45 * 60_000;

/**
 * Nobody gets a session for looking around: only who wants something is somebody. A guest's cannot
 * be made longer: one that would end between the seat and the ticket is given up for a new one
 * while there is nothing to lose.
 */
export async function sessionToBuyWith(
  eventId: string,
  { now_ms, isEmpty }: Readonly<{ now_ms: number; isEmpty: boolean }>,
): Promise<'same' | 'new'> {
  const known = recall<Session>(nameOf(eventId));
  const left_ms = known ? Date.parse(known.expires_at) - now_ms : 0;
  if (known && (settings.demo || !isEmpty || left_ms > ENOUGH_MS)) return 'same';
  await newSession(eventId);
  return 'new';
}

function newSession(eventId: string): Promise<string> {
  const name = nameOf(eventId);
  const under = asking.get(name);
  if (under) return under;
  const wanted = (settings.demo ? demoSession() : nobody.events.session(eventId))
    .then((session) => {
      keep(name, session);
      return session.token;
    })
    .finally(() => asking.delete(name));
  asking.set(name, wanted);
  return wanted;
}

/** The same words are the same person, so an expired session loses no seats. */
function demoSession(): Promise<Session> {
  const user = recall<string>('demo-user') ?? `visitor ${systemHost.newKey()}`;
  keep('demo-user', user);
  return nobody.demo.session({ role: 'customer', user });
}

/** For the client: the token of now, or a new one when the server refuses it. */
export function tokenGiver(eventId: string) {
  return (reason: TokenReason) => (reason === 'refused' ? newSession(eventId) : tokenOf(eventId));
}

/** Demo: the seats of before stay with the one who holds them. */
export function becomeSomebodyElse(): void {
  keep('demo-user', null);
  for (const key of keysKept('session.')) keep(key, null);
}

/** Events where the visitor is a guest, for finding all tickets. */
export function guestEvents(): string[] {
  if (settings.demo) return hasSession('') ? [''] : [];
  return keysKept('session.').map((key) => key.slice('session.'.length));
}
