/** What is hardly used is only known when buyers have had the time to use it. */
const SETTLED_MS = 24 * 3_600_000;
const ABOUT_USE: ReadonlySet<string> = new Set(['vip_utilisation_low', 'accessibility_unused']);

type Began = Readonly<{ sale_starts_at: string | null; published_at: string | null }>;

/** The warnings of the server that mean something by now: a day into the sale, and after sales. */
export function saidAlerts(
  alerts: readonly string[],
  { sold, event, now_ms }: { sold: number; event: Began | null; now_ms: number },
): readonly string[] {
  const times = [event?.sale_starts_at, event?.published_at].map((time) => Date.parse(time ?? ''));
  const began_ms = Math.max(...times.filter((time_ms) => !Number.isNaN(time_ms)));
  const isSettled = sold > 0 && Number.isFinite(began_ms) && now_ms - began_ms >= SETTLED_MS;
  return isSettled ? alerts : alerts.filter((alert) => !ABOUT_USE.has(alert));
}
