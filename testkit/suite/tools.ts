import { findRedisServer } from '@voelgoed/server/embedded';
import { findChromium } from '#chromium';
import { findDebianPostgres } from '#clusters';
import { findPgBouncer } from '#poolers';
import { findPrometheus } from '#prometheus';
import { run } from './run.ts';

/**
 * Programs that npm does not have. As root they are installed, else a sentence says what is
 * missing.
 */
export async function installTools(): Promise<void> {
  const path = process.env.PATH ?? '';
  const missing: string[] = [];
  if (!(await findRedisServer(path))) missing.push('redis-server');
  if (!(await findChromium(path))) missing.push('chromium-headless-shell');
  if (!(await findPrometheus(path))) missing.push('prometheus');
  if (!(await findPgBouncer(path))) missing.push('pgbouncer');
  if (!(await findDebianPostgres())) missing.push('postgresql');
  if (missing.length === 0) return;
  const packages = missing.join(' ');
  if (process.getuid?.() !== 0) {
    throw new Error(
      `The tests need ${packages}. Install it, e.g.: sudo apt-get install ${packages}`,
    );
  }
  console.log(`Installing ${packages} …`);
  await apt(['update', '-qq']);
  await apt(['install', '-y', '-qq', '--no-install-recommends', ...missing]);
}

/** Debian would start the server it installs; the tests have one of their own. */
async function apt(args: readonly string[]): Promise<void> {
  const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const { code, output } = await run('apt-get', args, { env });
  if (code !== 0) throw new Error(`apt-get ${args.join(' ')} failed:\n${output}`);
}
