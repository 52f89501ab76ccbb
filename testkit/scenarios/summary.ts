import { INVARIANTS, type Invariant } from '@voelgoed/faults/history';
import type { Outcome } from '#rig';

const MARKS = { held: '✓', violated: '✗', 'not judged': '–' } as const;

/** A scenario that this machine lacks something for: nothing is known about its promises. */
export type NotPlayed = Readonly<{ name: string; lacking: string }>;

/** One line per scenario, one column per invariant. */
export function summaryOf(
  outcomes: readonly Outcome[],
  notPlayed: readonly NotPlayed[] = [],
): string {
  const names = Object.keys(INVARIANTS) as Invariant[];
  const head = ['scenario'.padEnd(18), 'operations', '  again', ...names].join(' ');
  const lines = outcomes.map(({ name, counts, recovered_ms, verdicts }) => {
    const again = recovered_ms === null ? 'late' : `${(recovered_ms / 1_000).toFixed(1)} s`;
    const marks = names.map((one) => MARKS[verdicts[one].verdict].padEnd(one.length));
    const operations = String(counts.operations).padStart(10);
    return [name.padEnd(18), operations, again.padStart(7), ...marks].join(' ');
  });
  const sum = outcomes.reduce((total, { counts }) => total + counts.operations, 0);
  const broken = outcomes.filter(({ violations }) => violations.length > 0).length;
  const verdict = broken === 0 ? 'every promise was kept' : `${broken} broke a promise`;
  const left = notPlayed.map(
    ({ name, lacking }) => `${name.padEnd(18)} not played: needs ${lacking}`,
  );
  const rest = left.length > 0 ? `, ${left.length} not played` : '';
  const last = `${outcomes.length} scenarios, ${sum} operations: ${verdict}${rest}`;
  return [head, ...lines, ...left, last].join('\n');
}
