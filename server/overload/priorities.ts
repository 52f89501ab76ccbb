/** First what keeps promises and frees seats, then new wishes, then looking. */
export const PRIORITIES = ['complete', 'release', 'extend', 'hold', 'read', 'stream'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** Machines that look after us must get an answer exactly when it is hard to give one. */
const ALWAYS = /^\/(?:health\/|metrics$)/;
/** Money that has moved, and people who stand at the door. */
const COMPLETES = /^\/(?:webhooks\/payments\/|demo\/pay)/;
const AT_THE_DOOR = /^\/api\/(?:admin\/events\/[^/]+\/sell|tickets\/[^/]+\/entries)$/;
const EXTENDS = /\/(?:extend|pay)$|^\/api\/checkouts$/;
const STAFF = /^\/api\/(?:admin|platform)\//;
const RELEASES = /\/cancel$/;

/** What kind of request it is, by its first line alone; null: it is not held up by any rule. */
export function priorityOf(method: string, url: string): Priority | null {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  if (method === 'POST' && isHold(path)) return 'hold';
  if (method === 'GET' || method === 'HEAD') {
    if (ALWAYS.test(path)) return null;
    return path.endsWith('/stream') ? 'stream' : 'read';
  }
  if (method === 'OPTIONS') return null;
  if (COMPLETES.test(path) || AT_THE_DOOR.test(path)) return 'complete';
  if (method === 'DELETE' || method === 'PATCH' || STAFF.test(path) || RELEASES.test(path))
    return 'release';
  return EXTENDS.test(path) ? 'extend' : 'hold';
}

/** The most frequent by far while a sale opens: asked first. */
function isHold(path: string): boolean {
  return path.endsWith('/reserve') || (path.startsWith('/api/events/') && path.includes('/holds'));
}

/** The event in `/api/events/{id}/…`; null where there is none. */
export function eventIn(url: string): string | null {
  return url.startsWith(EVENTS) ? url.slice(EVENTS.length, EVENTS.length + ID_CHARACTERS) : null;
}

const EVENTS = '/api/events/';
const ID_CHARACTERS = 36;
