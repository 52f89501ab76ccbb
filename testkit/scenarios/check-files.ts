import { judgeRun, readHistory } from '@voelgoed/faults/history';

/** Judges histories that somebody has; false when one of them breaks a promise. */
export function checkFiles(files: readonly string[]): boolean {
  if (files.length === 0) throw new Error('npm run faults -- check FILE…');
  let isGood = true;
  for (const file of files) {
    const run = readHistory(file);
    const violations = judgeRun(run).filter(
      ({ invariant }) => run.unjudged[invariant] === undefined,
    );
    const { scenario, seed, operations, events } = run;
    console.log(
      `${file}: ${scenario}, seed ${seed}, ${operations.length} operations, ${events.size} events`,
    );
    for (const { invariant, message } of violations) console.log(`  ${invariant} ${message}`);
    if (violations.length === 0) console.log('  every promise was kept');
    else isGood = false;
  }
  return isGood;
}
