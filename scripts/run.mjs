// Starts a TypeScript file on Node 24, whatever Node the machine has: the lockfile brings the
// runtime as a package. Plain JavaScript, because this file itself runs on the machine's Node.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const NEEDED = 24;

/** The bundled runtime first, so that everybody runs the version the lockfile names. */
function findNode() {
  const bundled = join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
  if (existsSync(bundled)) return bundled;
  if (Number(process.versions.node.split('.')[0]) >= NEEDED) return process.execPath;
  console.error(
    `Voelgoed Seating needs Node ${NEEDED} or newer and found ${process.versions.node}. ` +
      `No bundled runtime exists for ${process.platform}-${process.arch}: install Node ${NEEDED}.`,
  );
  process.exit(1);
}

// Code that was read once is kept, stripped of its types and compiled: the next start takes half as
// long to load it (0.9 s instead of 1.4 for the command line), and so do the programs it starts.
const NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/voelgoed/compiled');

const child = spawn(findNode(), process.argv.slice(2), {
  cwd: root,
  env: { NODE_COMPILE_CACHE, ...process.env },
  // The channel lets the child notice that this wrapper was killed, and stop its own services.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});

// A terminal's Ctrl-C reaches the child by itself (same process group); `kill` of this wrapper does
// not. Passing the signal on covers both, and the child treats a repeated signal as one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
// npm itself may be killed without a word: then nobody could stop us any more.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) child.kill('SIGTERM');
}, 1_000).unref();
child.on('error', (error) => {
  console.error(`Could not start Node: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
