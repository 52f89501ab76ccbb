import { isReleasedAt } from '#allocation';
import type { Draft } from './draft.ts';

/**
 * Gives the companion seats of a zone to everybody when it has become full enough, and keeps them
 * again when it has emptied. Whatever changes a board ends with this, so that the next wish finds
 * it settled; what was decided is in the log, because it depends on what was before.
 */
export function settleCompanions(draft: Draft): void {
  const { policy } = draft.config;
  if (!policy.enforce_accessibility_rules) return;
  for (const zone of draft.plan.seating.companionZones) {
    const { capacity = 0, has_seats = false } = draft.config.zones[zone] ?? {};
    if (!has_seats) continue;
    const before = draft.isReleased(zone);
    const released = isReleasedAt(policy, { capacity, ...draft.countsOf(zone) }, before);
    if (released !== before) draft.record({ kind: 'companions', zone, released });
  }
}
