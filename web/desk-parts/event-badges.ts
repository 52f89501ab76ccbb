/** What is said of an event in a word or two, as it is at this moment. */
export type BadgeName =
  | 'draft'
  | 'before_sale'
  | 'on_sale'
  | 'sold_out'
  | 'sale_over'
  | 'over'
  | 'doors_open'
  | 'ended'
  | 'cancelled'
  | 'postponed'
  | 'archived';

export type Badged = Readonly<{
  status: 'draft' | 'published' | 'live' | 'ended' | 'cancelled' | 'postponed' | 'archived';
  ends_at: string;
  sale_starts_at: string | null;
  sale_ends_at: string | null;
  rescheduled_at: string | null;
}>;

/**
 * The sale goes by its window, the doors by the state, and one says nothing about the other: seats
 * are sold while the doors are open, and the doors stay open when the sale is over. `free`: places
 * that are not sold, where that is known.
 */
export function badgesOf(event: Badged, now_ms: number, free?: number): readonly BadgeName[] {
  const { status } = event;
  switch (status) {
    case 'published':
      return [saleOf(event, now_ms, free)];
    case 'live':
      return [saleOf(event, now_ms, free), 'doors_open'];
    case 'postponed':
      // To a date that is known: then it is sold again.
      return event.rescheduled_at === null ? [status] : [status, saleOf(event, now_ms, free)];
    default:
      return [status];
  }
}

/** As the server decides it: both ends of the window belong to it. */
function saleOf(event: Badged, now_ms: number, free?: number): BadgeName {
  const ends_ms = Date.parse(event.ends_at);
  const from_ms = event.sale_starts_at === null ? 0 : Date.parse(event.sale_starts_at);
  const to_ms = event.sale_ends_at === null ? ends_ms : Date.parse(event.sale_ends_at);
  if (now_ms >= from_ms && now_ms <= to_ms) return free === 0 ? 'sold_out' : 'on_sale';
  if (now_ms > ends_ms) return 'over';
  return now_ms < from_ms ? 'before_sale' : 'sale_over';
}
