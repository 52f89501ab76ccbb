import type { EventState } from '#events';

export type Direction = 'in' | 'out';

/** Why somebody is not let in, or not let out. */
export const DENIALS = {
  unknown_ticket: 'There is no such ticket.',
  qr_invalid: 'This QR code was not made by us.',
  other_event: 'This ticket is for another event.',
  ticket_voided: 'This ticket was made void.',
  ticket_refunded: 'This ticket was refunded.',
  event_not_live: 'The event is not open.',
  ticket_expired: 'The time of this ticket is over.',
  wrong_day: 'This ticket is not for this day.',
  already_inside: 'This ticket is inside already.',
  not_inside: 'This ticket is not inside.',
  membership_expired: 'Membership expired.',
  daily_limit: 'This ticket has been used as often as it may be today.',
  zone_full: 'This zone is full.',
} as const;
export type Denial = keyof typeof DENIALS;

/** Codes are good for so long after the event, for people who come to fetch what they left. */
const DAYS_AFTER_END = 7;
const DAY_MS = 24 * 60 * 60 * 1_000;
export function validUntil_ms(ends_at: string): number {
  return Date.parse(ends_at) + DAYS_AFTER_END * DAY_MS;
}

/** All that is known before anything is locked. */
export type ScannedTicket = Readonly<{
  status: 'active' | 'voided' | 'refunded';
  event_status: EventState;
  ends_at: string;
  days: readonly string[];
  /** False: the zone is for members, and the ticket's member is none any more. */
  member_ok: boolean;
}>;

/**
 * May this ticket pass at all? Leaving needs nothing but to be inside. Before the event is open
 * everything but state and day is tried, so that scanners can be tested.
 */
export function judgeTicket(
  ticket: ScannedTicket,
  scan: Readonly<{ direction: Direction; day: string; now_ms: number }>,
): Denial | null {
  const { event_status } = ticket;
  if (scan.direction === 'out') {
    return event_status === 'live' || event_status === 'ended' ? null : 'event_not_live';
  }
  const good = judgeGood(ticket, scan.now_ms);
  if (good !== null) return good;
  if (event_status !== 'live') return 'event_not_live';
  return ticket.days.includes(scan.day) ? null : 'wrong_day';
}

/** For which days it is, so that the guest can be told when to come. */
export function daysSentence(days: readonly string[]): string {
  const [first = '', ...others] = days;
  const last = others.at(-1);
  if (last === undefined) return `It is for ${first}.`;
  if (days.length <= 3) return `It is for ${days.slice(0, -1).join(', ')} and ${last}.`;
  return `It is for ${days.length} days from ${first} to ${last}.`;
}

function judgeGood(ticket: ScannedTicket, now_ms: number): Denial | null {
  if (ticket.status === 'voided') return 'ticket_voided';
  if (ticket.status === 'refunded') return 'ticket_refunded';
  if (now_ms > validUntil_ms(ticket.ends_at)) return 'ticket_expired';
  return ticket.member_ok ? null : 'membership_expired';
}

/** A scan before the doors open that found nothing else wrong: the scanner works. */
export function isPassedTest(ticket: ScannedTicket, denial: Denial): boolean {
  return denial === 'event_not_live' && ticket.event_status === 'published';
}

/** Under the locks of the ticket's day and of its zone's. */
export function judgeDay(
  direction: Direction,
  ticket: Readonly<{ inside: boolean; entries: number; most_entries: number | null }>,
  zone: Readonly<{ inside: number; capacity: number; has_seats: boolean }>,
): Denial | null {
  if (direction === 'out') return ticket.inside ? null : 'not_inside';
  if (ticket.inside) return 'already_inside';
  const { entries, most_entries } = ticket;
  if (most_entries !== null && entries >= most_entries) return 'daily_limit';
  // A seat has room for whoever has its ticket; where nobody has a seat, the zone has room or not.
  return !zone.has_seats && zone.inside >= zone.capacity ? 'zone_full' : null;
}

export type Accessibility = Readonly<{ note: string; prompt: string | null }>;

/** What people at the door should know of a seat. */
export function accessibilityOf(
  seat: Readonly<{ category: string | null; has_companion: boolean }>,
): Accessibility | null {
  if (seat.category !== 'wheelchair') return null;
  if (!seat.has_companion) return { note: 'Wheelchair ticket.', prompt: null };
  return {
    note: 'Wheelchair ticket, companion reserved.',
    prompt: 'Please ensure companion is accompanied.',
  };
}
