import type { Lengthened, Released, StaffRelease } from '@voelgoed/engine/workflows';

/** What the holder gets: what was released, and what was not and why. */
export function releasedView({ holds, seats, revision }: Released) {
  const placesOf = (wanted: string) =>
    holds.flatMap(({ hold_id, hold, place, outcome }) =>
      hold && place && outcome === wanted ? [placeView(hold_id, hold.quantity, place)] : [],
    );
  const kept = placesOf('payment_in_progress');
  return {
    status: 'released' as const,
    released_seats: placesOf('released'),
    released_count: seats,
    not_released: kept.map((one) => ({ ...one, reason: 'payment_in_progress' as const })),
    revision,
    message: releaseSentence(seats, holds),
  };
}

type Place = NonNullable<Released['holds'][number]['place']>;

function placeView(hold_id: string, quantity: number, { seat, zone_id, zone_name }: Place) {
  const { seat_id = null, row = null, number = null } = seat ?? {};
  return { hold_id, seat_id, zone_id, quantity, block: zone_name, row, number };
}

export function staffReleaseView({ seats, holds }: StaffRelease) {
  return {
    status: 'released' as const,
    seats_released: seats,
    holds,
    not_released: holds.flatMap(({ hold_id, outcome }) =>
      OVER.includes(outcome) ? [] : [{ hold_id, reason: outcome }],
    ),
    reason: 'admin_override' as const,
    message: releaseSentence(seats, holds),
  };
}

/** What nobody holds any more, and what no hold ever was. */
const OVER = ['released', 'not_active', 'not_found', 'hold_not_found', 'ticket_already_paid'];

export function releasedSentence(seats: number): string {
  if (seats === 0) return 'Nothing was held any more.';
  return seats === 1 ? 'One seat was released.' : `${seats} seats were released.`;
}

type Reason = (holds: string, were: string) => string;

/** Why something is still as it was, or may be. */
const REASONS: Readonly<Record<string, Reason>> = {
  payment_in_progress: (holds, were) =>
    `${holds} ${were} not released, because a payment is under way.`,
  ticket_already_paid: (holds, were) =>
    `${holds} ${were} not released, because the tickets are paid for.`,
  not_active: (holds, were) => `${holds} ${were} over before.`,
  hold_not_found: (holds, were) => `${holds} ${were} not found.`,
  event_busy: (holds, were) =>
    `${holds} ${were} not released, because the event was busy. Please try again.`,
  outcome_unknown: (holds) => `Whether ${holds} ended is not known. Please try again.`,
};
const UNAVAILABLE: Reason = (holds, were) => `${holds} ${were} not released. Please try again.`;

/** Never that nothing was held when something still is. */
function releaseSentence(seats: number, holds: readonly Readonly<{ outcome: string }>[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of holds) {
    const name = outcome === 'not_found' ? 'hold_not_found' : outcome;
    if (name !== 'released') counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  if (counts.size === 0) return seats === 0 ? 'Nothing was held.' : releasedSentence(seats);
  const rest = [...counts].map(([outcome, count]) => {
    const reason = REASONS[outcome] ?? UNAVAILABLE;
    const sentence = count === 1 ? reason('one hold', 'was') : reason(`${count} holds`, 'were');
    return sentence.charAt(0).toUpperCase() + sentence.slice(1);
  });
  if (seats > 0) return [releasedSentence(seats), ...rest].join(' ');
  const over = [...counts.keys()].every((outcome) => outcome === 'not_active');
  return over ? releasedSentence(0) : rest.join(' ');
}

const MORE_TIME = ['extended', 'unchanged'];

export function lengthenedView({ holds }: Lengthened) {
  const not = holds.filter(({ outcome }) => !MORE_TIME.includes(outcome));
  return {
    status: 'extended' as const,
    holds: holds.map(({ hold_id, outcome, until_ms }) => ({
      hold_id,
      outcome,
      held_until: until_ms === null ? null : new Date(until_ms).toISOString(),
    })),
    not_extended: not.map(({ hold_id, outcome: reason }) => ({ hold_id, reason })),
    message: lengthenedSentence(holds.length - not.length, not.length),
  };
}

function lengthenedSentence(done: number, not: number): string {
  const kept = not === 0 ? '' : ` ${not} ${not === 1 ? 'was' : 'were'} not extended.`;
  return `${done} ${done === 1 ? 'hold has' : 'holds have'} the time that was asked for.${kept}`;
}
