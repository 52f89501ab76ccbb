import type { SeatsByLabel } from './check-names.ts';
import type { LayoutDraft, SeatDraft } from './layout-draft.ts';
import type { LayoutProblems } from './layout-problems.ts';

/** A companion seat points to the wheelchair space of its zone that it belongs to. */
export function checkCompanions(
  draft: LayoutDraft,
  seats: SeatsByLabel,
  problems: LayoutProblems,
): void {
  const pointing = draft.seats.filter((seat) => seat.companion_of !== undefined);
  const circular = seatsInCycles(pointing, seats);
  for (const seat of pointing) {
    if (problems.full) return;
    const target = seats.get(seat.companion_of ?? '');
    if (circular.has(seat)) {
      const sentence = 'Following companion_of from this seat leads back to it.';
      problems.add(seat.path('companion_of'), 'companion_cycle', sentence);
    } else if (target || draft.complete) checkPointer(seat, target, problems);
  }
}

function checkPointer(
  seat: SeatDraft,
  target: SeatDraft | undefined,
  problems: LayoutProblems,
): void {
  const path = seat.path('companion_of');
  if (seat.category !== undefined && seat.category !== 'companion') {
    const sentence = `Only companion seats have companion_of, and this is a ${seat.category} seat.`;
    problems.add(path, 'companion_not_companion', sentence);
  }
  if (!target) {
    const sentence = `There is no seat "${seat.companion_of}" in this layout.`;
    problems.add(path, 'companion_unknown', sentence);
    return;
  }
  if (target.zone !== seat.zone) {
    const sentence = `"${seat.companion_of}" is in another zone.`;
    problems.add(path, 'companion_in_other_zone', sentence);
  }
  if (target.category !== undefined && target.category !== 'wheelchair') {
    const sentence = `"${seat.companion_of}" is a ${target.category} seat, not a wheelchair seat.`;
    problems.add(path, 'companion_not_wheelchair', sentence);
  }
}

/** Walks each chain once: a seat met again on the same walk closes a circle. */
function seatsInCycles(pointing: readonly SeatDraft[], seats: SeatsByLabel): Set<SeatDraft> {
  const circular = new Set<SeatDraft>();
  const walked = new Set<SeatDraft>();
  for (const start of pointing) {
    const chain: SeatDraft[] = [];
    const onChain = new Map<SeatDraft, number>();
    let seat: SeatDraft | undefined = start;
    while (seat && !walked.has(seat)) {
      walked.add(seat);
      onChain.set(seat, chain.length);
      chain.push(seat);
      seat = seat.companion_of === undefined ? undefined : seats.get(seat.companion_of);
    }
    const closes = seat && onChain.get(seat);
    if (closes !== undefined) for (const member of chain.slice(closes)) circular.add(member);
  }
  return circular;
}
