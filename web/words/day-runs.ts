const DAY_MS = 24 * 60 * 60 * 1_000;

/** Calendar dates in order, as the first and the last of those that follow each other. */
export function dayRuns(days: readonly string[]): readonly (readonly [string, string])[] {
  const runs: [string, string][] = [];
  for (const day of days) {
    const run = runs.at(-1);
    if (run && Date.parse(day) - Date.parse(run[1]) === DAY_MS) run[1] = day;
    else runs.push([day, day]);
  }
  return runs;
}
