import { NIL_ID } from '@voelgoed/engine/kit';
import { scopeOf } from '@voelgoed/engine/scope';
import type { Happening } from '@voelgoed/engine/telemetry';
import { SAMPLES } from '@voelgoed/testkit/happenings';
import { useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';
import { WITHOUT_EVENT } from './lines-without-event.ts';
import { createMetrics, LEVELS } from './metrics.ts';
import { type EventFigures, WORST, watchWorstEvents } from './worst-events.ts';

const { node } = useShows();

/** Series that the runtime reports about itself: their documentation is the library's. */
const RUNTIME = /^voelgoed_(process|nodejs)_/;
const KINDS = Object.keys(LEVELS) as Happening['kind'][];

type Described = { name: string; type: string; help: string; labels: string[] };

function describedIn(text: string): Described[] {
  const helps = text.matchAll(/^# HELP (\S+) (.+)\n# TYPE \S+ (\w+)$/gm);
  return [...helps]
    .map(([, name = '', help = '', type = '']) => ({
      name,
      help,
      type,
      labels: labelsOf(name, text),
    }))
    .filter(({ name }) => !RUNTIME.test(name));
}

function labelsOf(name: string, text: string): string[] {
  const lines = text.matchAll(new RegExp(`^${name}(?:_bucket)?\\{(.+)\\} `, 'gm'));
  const names = [...lines].flatMap(([, labels = '']) =>
    [...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label),
  );
  return [...new Set(names)].filter((label) => label !== 'le');
}

/** Everything that there can be: each happening once, and what a whole node adds. */
async function everything(): Promise<Described[]> {
  const metrics = createMetrics({ redis: true });
  for (const sample of Object.values(SAMPLES)) metrics.telemetry.emit(sample);
  watchWorstEvents(metrics.gaugeBy, () => [anEventInTrouble()]);
  metrics.request({ method: 'GET', route: '/', status: 200, seconds: 0.1 });
  const counted = describedIn(await metrics.text());
  const known = new Set(counted.map(({ name }) => name));
  const whole = describedIn(await (await fetch(`${node().address}/metrics`)).text());
  const gauges = whole.filter(({ name }) => !known.has(name));
  return [...counted, ...gauges].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Which series a happening changes: tried, not read from the code. */
async function seriesOf(kind: Happening['kind']): Promise<string[]> {
  const values = async (emit: boolean) => {
    const metrics = createMetrics({ redis: true });
    if (emit) metrics.telemetry.emit(SAMPLES[kind]);
    const text = await metrics.text();
    return new Set(
      text.split('\n').filter((line) => /^voelgoed_/.test(line) && !RUNTIME.test(line)),
    );
  };
  const [before, after] = [await values(false), await values(true)];
  const changed = [...after].filter((line) => !before.has(line));
  const names = changed.map((line) =>
    line.replace(/[{ ].*/, '').replace(/_(bucket|sum|count)$/, ''),
  );
  return [...new Set(names)].sort();
}

async function page(): Promise<string> {
  const rows = (await everything()).map(
    ({ name, type, labels, help }) =>
      `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
  );
  const happenings: string[] = [];
  for (const kind of KINDS) {
    const series = (await seriesOf(kind)).map((name) => `\`${name}\``).join(', ');
    happenings.push(`| \`${kind}\` | ${LEVELS[kind] ?? ''} | ${series} |`);
  }
  const unnamed = Object.entries(WITHOUT_EVENT).map(([kind, why]) => `| \`${kind}\` | ${why} |`);
  return `${INTRODUCTION}
| series | type | labels | what it says |
|---|---|---|---|
${rows.join('\n')}

${HAPPENINGS}
| happening | line at level | series |
|---|---|---|
${happenings.join('\n')}

${UNNAMED}
| line | why |
|---|---|
${unnamed.join('\n')}
`;
}

const INTRODUCTION = `# Metrics and log lines

\`GET /metrics\` has everything in Prometheus form. Labels are names and codes from our own code, so
the number of series is bounded; ids are in log lines. Only \`voelgoed_worst_event_…\` names
events: on each node the ${WORST} that do worst by a figure, so that one bad event does not hide.
[The alerts](../ops/prometheus/alerts.yml) and [dashboards](../ops/README.md) are made of these,
[runbooks](runbooks.md) say what to do.

This page is written by a test from the code itself: \`npm test -- server/metrics/documented -u\`.
Series about Redis are there only on a node that has one. The runtime adds
\`voelgoed_process_…\` and \`voelgoed_nodejs_…\` (memory, processor, event loop, garbage).

## Series
`;

const HAPPENINGS = `## What happens, and where it shows

Every thing that happens has one name, is told at one place, and feeds series and log lines from
there. A line has the name as \`msg\`, its numbers and codes as fields, and under \`ids\` whom it
was about. At \`warn\` and above that is the organization and the event, and the seats and the
user where it is about a hold; people are named by their user id alone. \`redis.breaker\` is at
level info when it closes or is half open. Of \`hold.redis_fallback\`, \`hold.error\` and
\`reaper.failed\` a few lines a second are written, and \`left_out\` says how many were not.
\`LOG_LEVEL=debug\` shows every hold and every seat that changed; nothing at these levels is
collected when it is not shown.
`;

const UNNAMED = `## Lines of level warn and above without an event

All others name one; a test asks each of them.
`;

/** Series of the worst events are there for events in trouble alone. */
function anEventInTrouble(): EventFigures {
  const event = { scope: scopeOf(NIL_ID), eventId: NIL_ID };
  const taken = { seats: 200, orphans: 30, taken: 150 };
  const counts = { ...taken, vipPlaces: 10, vipTaken: 1, spaces: 4, spacesTaken: 0 };
  return { event, counts, queued: 1, overdue_ms: 1 };
}

describe('the page about metrics', () => {
  it('is what the code does (npm test -- server/metrics/documented -u writes it)', async () => {
    await expect(await page()).toMatchFileSnapshot('../../docs/metrics.md');
  });

  it('finds a series for every happening that is more than a line', async () => {
    const silent = [];
    for (const kind of KINDS) {
      if (LEVELS[kind] === null && (await seriesOf(kind)).length === 0) silent.push(kind);
    }
    expect(silent).toEqual([]);
  });
});
