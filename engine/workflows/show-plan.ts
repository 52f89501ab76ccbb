import { isOperatingError } from '#kit';
import type { Scope } from '#scope';
import type { Engine } from './change.ts';

/**
 * Whoever is told that an event has another plan finds it on this node from then on: the drawing
 * comes from the database, so the board must not be older. A board that cannot be read now is read
 * by whoever asks next.
 */
export async function showNewPlan(
  { registry }: Pick<Engine, 'registry'>,
  scope: Scope,
  eventId: string,
): Promise<void> {
  try {
    await registry.current({ scope, eventId: eventId.toLowerCase() });
  } catch (error) {
    if (!isOperatingError(error)) throw error;
    registry.hearGap();
  }
}
