import { d } from '#desk-words';

type Judged = Readonly<{
  status: 'admitted' | 'denied';
  direction: 'in' | 'out';
  reason: string | null;
}>;

export function verdictOf({ status, direction }: Judged): string {
  if (status === 'denied') return d().door.denied;
  return direction === 'in' ? d().door.admitted : d().door.left;
}

/** A reason of a newer server is better than none. */
export function reasonFor({ reason }: Pick<Judged, 'reason'>): string {
  if (reason === null) return '';
  return (d().door.reasons as Record<string, string>)[reason] ?? reason;
}
