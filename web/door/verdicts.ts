import { d } from '#desk-words';
import { clockTimeAt } from '#words';

type Judged = Readonly<{
  status: 'admitted' | 'denied';
  direction: 'in' | 'out';
  reason: string | null;
}>;

export function verdictOf({ status, direction }: Judged): string {
  if (status === 'denied') return d().door.denied;
  return direction === 'in' ? d().door.admitted : d().door.left;
}

type Told = Pick<Judged, 'reason'> &
  Readonly<{ inside_since?: string | null; inside_gate?: string | null }>;

/** A reason of a newer server is better than none. */
export function reasonFor(
  { reason, inside_since, inside_gate }: Told,
  timeZone?: string | undefined,
): string {
  if (reason === null) return '';
  if (reason === 'already_inside' && inside_since) {
    return d().door.insideSince(clockTimeAt(inside_since, timeZone), inside_gate ?? '');
  }
  return (d().door.reasons as Record<string, string>)[reason] ?? reason;
}
