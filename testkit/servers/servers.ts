/**
 * Servers for tests: a whole node in this process on a database of the test's own, or the real
 * start command as a process of its own. It knows how to start and stop them; requests are the
 * tests'.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Config, readConfig } from '@voelgoed/server/config';
import type { Metrics } from '@voelgoed/server/metrics';
import { type RunningNode, startNode } from '@voelgoed/server/processes';
import { afterAll, beforeAll } from 'vitest';
import type { TestDatabase } from '#database';
import { eventually } from '#eventually';
import { testServices } from '#services';

export { type CallOptions, call, type Reply, sendRaw, tokenFor, untilServed } from './calls.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Buyers of tests do in a second what takes people minutes. */
const FOR_TESTS = { PORT: '0', LOG_LEVEL: 'silent', CHECKOUT_INTERVAL_SECONDS: '0' };

/** A configuration for tests: a free port, silent logs; the rest as said. */
export function testConfig(environment: Record<string, string> = {}): Config {
  const result = readConfig({ ...FOR_TESTS, ...environment });
  if (result.kind === 'problems') throw new Error(result.problems.join('\n'));
  return result.config;
}

/** A node that the test stops itself. */
export function startTestNode(
  database: TestDatabase,
  environment: Record<string, string> = {},
): Promise<RunningNode> {
  const { authSecret } = testServices();
  const { ownerUrl, redisUrl } = database;
  const config = testConfig({ DEMO: '0', ...environment });
  return startNode({ config, ownerUrl, authSecret, redisUrl });
}

/**
 * A node on the test file's database, with the database's Redis, another one or none. It loads no
 * demo unless a test asks for it; then it starts on a database that has it (`useDemoDatabase`).
 */
export function useNode(
  database: TestDatabase,
  environment: Record<string, string> = {},
  redisOf: () => string | null = () => database.redisUrl,
  metrics?: Metrics,
) {
  let node: RunningNode | undefined;
  beforeAll(async () => {
    const { authSecret } = testServices();
    const redisUrl = redisOf();
    const config = testConfig({ DEMO: '0', ...environment });
    const services = { ownerUrl: database.ownerUrl, authSecret, redisUrl };
    node = await startNode({ config, ...services, ...(metrics ? { metrics } : {}) });
  });
  afterAll(() => node?.stop());
  return () => {
    if (!node) throw new Error('the node is there inside tests only');
    return node;
  };
}

export type StartedProcess = Readonly<{
  child: ChildProcess;
  /** All that it printed so far. */
  output(): string;
  /** Waits for a line that matches. */
  says(pattern: RegExp, within_ms?: number): Promise<RegExpExecArray>;
  exited: Promise<number | null>;
}>;

/** By it the suite finds what its tests have started, and ends it. */
const MARK = 'VOELGOED_TEST_COMMAND';

/**
 * The start command as users run it, by way of the wrapper, with exactly this environment added.
 */
export function startProcess(
  file: string,
  environment: Record<string, string>,
  args: readonly string[] = [],
): StartedProcess {
  const { PATH = '', [MARK]: mark = '' } = process.env;
  const child = spawn(process.execPath, ['scripts/run.mjs', file, ...args], {
    cwd: ROOT,
    env: { PATH, LOG_LEVEL: 'silent', [MARK]: mark, ...environment },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk;
    });
  }
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    child,
    output: () => text,
    exited,
    says: (pattern, within_ms = 180_000) =>
      eventually(() => pattern.exec(text), { within_ms }).catch(() => {
        throw new Error(`never said ${pattern}; it said:\n${text}`);
      }),
  };
}
