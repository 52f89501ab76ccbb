export const EVENT_STATES = [
  'draft',
  'published',
  'live',
  'ended',
  'cancelled',
  'postponed',
  'archived',
] as const;
export type EventState = (typeof EVENT_STATES)[number];

/** What can be done to an event as a whole. */
export type EventStep = 'publish' | 'open' | 'end' | 'cancel' | 'postpone' | 'archive';

/** Each step: from which states, and into which. A postponed event with a new date is published. */
const STEPS: Readonly<Record<EventStep, { from: readonly EventState[]; to: EventState }>> = {
  publish: { from: ['draft', 'postponed'], to: 'published' },
  open: { from: ['published'], to: 'live' },
  end: { from: ['published', 'live'], to: 'ended' },
  cancel: { from: ['published', 'live', 'postponed'], to: 'cancelled' },
  postpone: { from: ['published', 'live'], to: 'postponed' },
  archive: { from: ['draft', 'ended', 'cancelled'], to: 'archived' },
};

/** The state after a step; null when the event cannot take it from where it is. */
export function afterStep(state: EventState, step: EventStep): EventState | null {
  const { from, to } = STEPS[step];
  return from.includes(state) ? to : null;
}

export type SaleTimes = Readonly<{
  status: EventState;
  sale_starts_at: string | null;
  sale_ends_at: string | null;
  ends_at: string;
  rescheduled_at: string | null;
}>;

/**
 * On sale is derived, never a state: published or live, or postponed to a date that is known, and
 * within the window. Without an end of the window the sale ends with the event.
 */
export function isOnSale(event: SaleTimes, now_ms: number): boolean {
  const { status, rescheduled_at } = event;
  const open = status === 'published' || status === 'live';
  if (!open && !(status === 'postponed' && rescheduled_at !== null)) return false;
  const from = event.sale_starts_at === null ? 0 : Date.parse(event.sale_starts_at);
  const to = Date.parse(event.sale_ends_at ?? event.ends_at);
  return now_ms >= from && now_ms <= to;
}

/** May the world see it? Drafts and archived events are the organization's own affair. */
export function isPublic(status: EventState): boolean {
  return status !== 'draft' && status !== 'archived';
}
