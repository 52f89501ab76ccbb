import type { PublicEventInList } from '@voelgoed/client/client';
import { shortDate, t } from '#words';

export type SaleWords = Readonly<{ text: string; kind: 'good' | 'warn' | 'plain' }>;
type Selling = Pick<
  PublicEventInList,
  'status' | 'on_sale' | 'sale_starts_at' | 'sale_ends_at' | 'venue' | 'occupancy'
>;

/** Fewer than this part is left: worth saying. */
const FEW = 0.1;

/** Whether one can buy now, and if not, why not and when. */
export function saleWords(event: Selling, now_ms: number): SaleWords {
  const { status, on_sale, sale_starts_at, venue, occupancy } = event;
  const { available, total } = occupancy;
  if (status === 'cancelled') return { text: t().cancelled, kind: 'warn' };
  if (status === 'ended' || status === 'archived') return { text: t().ended, kind: 'plain' };
  if (status === 'postponed' && !on_sale) return { text: t().postponed, kind: 'warn' };
  if (!on_sale) {
    const isAhead = sale_starts_at !== null && Date.parse(sale_starts_at) > now_ms;
    if (!isAhead) return { text: t().saleClosed, kind: 'plain' };
    return { text: t().saleOpens(shortDate(sale_starts_at, venue?.timezone)), kind: 'plain' };
  }
  if (available === 0) return { text: t().soldOut, kind: 'plain' };
  if (available < total * FEW) return { text: t().fewLeft(available), kind: 'warn' };
  return { text: t().onSale, kind: 'good' };
}
