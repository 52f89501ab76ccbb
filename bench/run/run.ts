/**
 * `npm run bench`: starts a Postgres of its own, builds a stadium, runs the suites one after the
 * other and prints what they found. `--quick` takes fewer and shorter runs, `--only` names suites,
 * `--json` also writes a file. It leaves nothing running.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { reasonOf } from '@voelgoed/engine/kit';
import { isKept } from '#measure';
import { printFigures } from './print.ts';
import { runSuites, SUITES } from './suites.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    only: { type: 'string' },
    /** How often each variant of the schema has its turn, and which. */
    rounds: { type: 'string', default: '5' },
    variant: { type: 'string' },
  },
});

const wanted = values.only?.split(',') ?? SUITES.filter((name) => name !== 'schema');
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stopping.abort(new Error('stopped')));
}

try {
  const settings = { quick: values.quick, rounds: Number(values.rounds), only: values.variant };
  const figures = await runSuites(wanted, settings, stopping.signal);
  printFigures(figures);
  if (values.json) await writeFile(values.json, `${JSON.stringify(figures, null, 2)}\n`);
  const missed = figures.filter((figure) => !isKept(figure)).length;
  console.log(missed === 0 ? '\nAll targets are met.' : `\n${missed} targets are missed.`);
} catch (error) {
  console.error(reasonOf(error));
  process.exitCode = 1;
}
// The channel to the wrapper and the workshop's thread would keep this process alive.
process.exit();
