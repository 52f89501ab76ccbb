/**
 * `npm run audit`: the packages of others as the tests judge them, secrets in every version of
 * every file that was ever committed, and what the registry knows to be broken, when it answers.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { secretsIn } from './secrets.ts';
import {
  type Lockfile,
  type Manifest,
  problemsOfManifest,
  problemsOfPackages,
  stoppedBy,
} from './supply.ts';

const ROOT = dirname(import.meta.dirname);
const MOST_BYTES = 4 * 1024 * 1024;
/** All versions of all files together; a gigabyte of text is not written in years. */
const MOST_HISTORY_BYTES = 2 ** 30;
/** A registry that needs longer has not answered. */
const REGISTRY_MS = 60_000;

type Version = Readonly<{ hash: string; file: string }>;

const say = (line: string) => process.stdout.write(`${line}\n`);

function report(what: string, problems: readonly string[]): void {
  say(`${problems.length === 0 ? '✓' : '✗'} ${what}`);
  for (const problem of problems) say(`    ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}

function json<Value>(file: string): Value {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Value;
}

function git(args: readonly string[], input = ''): Buffer {
  const options = { cwd: ROOT, input, maxBuffer: MOST_HISTORY_BYTES };
  return execFileSync('git', args, { ...options, stdio: ['pipe', 'pipe', 'ignore'] });
}

/** Every file in every version, each content once. */
function everCommitted(): Version[] {
  const lines = git(['rev-list', '--objects', '--all']).toString().split('\n');
  return lines.flatMap((line) => {
    const [, hash, file] = /^([0-9a-f]{40,}) (.+)$/.exec(line) ?? [];
    return hash && file ? [{ hash, file }] : [];
  });
}

/** The contents of all of them from one question: `<hash> <type> <size>\n<content>\n` each. */
function* contentsOf(versions: readonly Version[]): Iterable<Version & { text: string }> {
  const bytes = git(['cat-file', '--batch'], `${versions.map(({ hash }) => hash).join('\n')}\n`);
  let at = 0;
  for (const version of versions) {
    const end = bytes.indexOf(10, at);
    const [, type, size] = bytes.toString('latin1', at, end).split(' ');
    const content = bytes.subarray(end + 1, end + 1 + Number(size));
    at = end + 2 + Number(size);
    const isText = type === 'blob' && content.length <= MOST_BYTES && !content.includes(0);
    if (isText) yield { ...version, text: content.toString('utf8') };
  }
}

function secretsOfHistory(): string[] {
  let versions: Version[];
  try {
    versions = everCommitted();
  } catch {
    say('  there is no history here, only a copy of the files');
    return [];
  }
  say(`  ${versions.length} versions of files and folders`);
  return [...contentsOf(versions)].flatMap(({ hash, file, text }) =>
    secretsIn({ file, text }).map(
      ({ kind, line }) => `${kind} in ${file}:${line} (${hash.slice(0, 12)})`,
    ),
  );
}

type Audited = {
  vulnerabilities: Record<string, { name: string; severity: string }>;
  metadata?: object;
};

/** What the registry says; null when it cannot be asked. */
function knownToBeBroken(): string[] | null {
  const options = { cwd: ROOT, encoding: 'utf8', timeout: REGISTRY_MS } as const;
  const { stdout } = spawnSync('npm', ['audit', '--json'], options);
  try {
    const { vulnerabilities, metadata } = JSON.parse(stdout) as Audited;
    if (!metadata) return null;
    return Object.values(vulnerabilities).map(({ name, severity }) => `${name}: ${severity}`);
  } catch {
    return null;
  }
}

const { workspaces } = json<{ workspaces: string[] }>('package.json');
const manifests = ['package.json', ...workspaces.map((house) => `${house}/package.json`)];
const packages = problemsOfPackages(
  json<Lockfile>('package-lock.json'),
  stoppedBy(json<Manifest>('package.json')),
);
report('packages: versions, checksums, licences, scripts', packages);
report(
  'what workspaces ask for',
  manifests.flatMap((file) => problemsOfManifest(json<Manifest>(file))),
);
report('secrets in all that was ever committed', secretsOfHistory());
const known = knownToBeBroken();
if (known) report('what the registry knows to be broken', known);
else say('– the registry does not answer: what it knows was not asked');
