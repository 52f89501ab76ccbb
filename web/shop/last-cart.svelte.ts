import { anybody } from './clients.ts';
import { keep, recall } from './storage.ts';

export type LastCart = Readonly<{
  event_id: string;
  name: string;
  count: number;
  held_until: string;
}>;

let kept = $state.raw<LastCart | null>(recall<LastCart>('cart'));

/** What waits in another event, for pages that show no cart. The server has the last word. */
export function lastCart(): LastCart | null;
export function lastCart(now: LastCart | null): void;
export function lastCart(now?: LastCart | null) {
  if (now !== undefined) {
    kept = now;
    keep('cart', now);
    return undefined;
  }
  const isOver = kept !== null && Date.parse(kept.held_until) <= anybody.clock.now();
  return isOver ? null : kept;
}
