/**
 * `npm run bench`: starts a Postgres of its own, builds a stadium, runs the suites one after the
 * other and prints what they found. Names choose suites (`npm run bench -- holds`, or `--only` with
 * a list), `--quick` takes fewer and shorter runs, `--json` also writes a file, `--profile` names a
 * folder for profiles of nodes under load, `--minutes` says how long the soak lasts. With `report
 * FILE` a page and pictures are made of such a file, with `compare ONE OTHER` two of them are
 * compared. `beside` takes turns with a server that was started by hand. It leaves nothing running.
 */
import { parseArgs } from 'node:util';
import { reasonOf } from '@voelgoed/engine/kit';
import { strangerOf } from '#beside';
import { measureAll } from './measure-all.ts';
import { compareFiles, reportFile } from './read-files.ts';
import { SUITES } from './suites.ts';

const OPTIONS = {
  quick: { type: 'boolean', default: false },
  json: { type: 'string' },
  only: { type: 'string' },
  /** How often each variant of the schema has its turn, and which. */
  rounds: { type: 'string', default: '5' },
  variant: { type: 'string' },
  profile: { type: 'string' },
  minutes: { type: 'string' },
  html: { type: 'string' },
  png: { type: 'string' },
  all: { type: 'boolean', default: false },
  /** For `beside`: another back end, and how one asks it for a seat. */
  url: { type: 'string' },
  path: { type: 'string' },
  body: { type: 'string' },
  status: { type: 'string' },
  seats: { type: 'string' },
  pid: { type: 'string' },
  connections: { type: 'string' },
  /** For `versions`: another checkout of this repository. */
  other: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

const USAGE = `npm run bench -- [suites…] [--quick] [--json FILE] [--profile FOLDER] [--minutes N]
npm run bench -- report FILE [--html FILE] [--png FOLDER]
npm run bench -- compare ONE OTHER [--all]
npm run bench -- beside --url URL --path PATH --body TEXT [--pid N] [--status N] [--seats FILE]
npm run bench -- versions --other FOLDER
npm run bench -- schema [--rounds N] [--variant NAME]
Suites: ${SUITES.join(', ')}`;

try {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: OPTIONS });
  const [command, ...files] = positionals;
  if (values.help) console.log(USAGE);
  else if (command === 'report') await reportFile(files, values);
  else if (command === 'compare') await compareFiles(files, values.all);
  else {
    const named = [...positionals, ...(values.only?.split(',') ?? [])];
    const minutes = values.minutes === undefined ? null : Number(values.minutes);
    if (minutes !== null && !(minutes > 0)) throw new Error('--minutes is a number above 0');
    await measureAll(named, {
      settings: {
        quick: values.quick,
        rounds: Number(values.rounds),
        only: values.variant,
        profile: values.profile,
        minutes,
        other: values.other,
        stranger: named.includes('beside') ? strangerOf(values) : null,
      },
      json: values.json,
    });
  }
} catch (error) {
  console.error(reasonOf(error));
  if (isWrongArgument(error)) console.error(USAGE);
  process.exitCode = 1;
}
// The channel to the wrapper and the workshop's thread would keep this process alive.
process.exit();

function isWrongArgument(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS');
}
