/**
 * `npm run bench`: starts a Postgres of its own, builds a stadium, runs the suites one after the
 * other and prints what they found. Names choose suites (`npm run bench -- holds`, or `--only` with
 * a list), `--quick` takes fewer and shorter runs, `--json` also writes a file, `--profile` names a
 * folder for a profile of the server under load. It leaves nothing running.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { reasonOf } from '@voelgoed/engine/kit';
import { isKept } from '#measure';
import { printFigures } from './print.ts';
import { runSuites, SUITES } from './suites.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    only: { type: 'string' },
    /** How often each variant of the schema has its turn, and which. */
    rounds: { type: 'string', default: '5' },
    variant: { type: 'string' },
    profile: { type: 'string' },
  },
});

const named = [...positionals, ...(values.only?.split(',') ?? [])];
const wanted = named.length > 0 ? named : SUITES.filter((name) => name !== 'schema');
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stopping.abort(new Error('stopped')));
}

try {
  const settings = {
    quick: values.quick,
    rounds: Number(values.rounds),
    only: values.variant,
    profile: values.profile,
  };
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
