// Installs what the lockfile names when it is not there yet. A stamp with the lockfile's hash
// decides, not the folder's existence: an interrupted or outdated install is done again. Plain
// JavaScript without packages: it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
// The image has its packages and no lockfile: nothing is installed into it when a command starts.
if (!existsSync(join(root, 'package-lock.json'))) {
  const isForCheckout = process.argv.includes('--dev');
  if (isForCheckout)
    console.error('This needs a checkout of the repository: the image has no tests.');
  process.exit(isForCheckout ? 1 : 0);
}

const stampFile = join(root, 'node_modules/.voelgoed-install');
const lockFolder = join(root, '.install-lock');
const withDev = process.argv.includes('--dev') || process.env.NODE_ENV !== 'production';

const lockfileHash = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .update(`${process.platform}-${process.arch}`)
  .digest('hex');

function read(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}

function isInstalled() {
  const [hash, kind] = read(stampFile).split(' ');
  return hash === lockfileHash && (kind === 'all' || !withDev);
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** The owner died, or died before it could write its number (then the folder is old and empty). */
function isAbandoned() {
  const owner = Number(read(join(lockFolder, 'pid')));
  if (owner) return !isAlive(owner);
  const made = statSync(lockFolder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  return Date.now() - made > 10_000;
}

/** Two commands on one fresh clone must not install over each other: the second waits. */
function takeLock() {
  for (;;) {
    try {
      mkdirSync(lockFolder);
      writeFileSync(join(lockFolder, 'pid'), String(process.pid));
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isAbandoned()) rmSync(lockFolder, { recursive: true, force: true });
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
}

function install() {
  const npm = process.env.npm_execpath?.endsWith('.js')
    ? [process.execPath, process.env.npm_execpath]
    : ['npm'];
  const flags = ['ci', withDev ? '--include=dev' : '--omit=dev', '--no-audit', '--no-fund'];
  console.log('Installing packages (once, about a minute) …');
  const result = spawnSync(npm[0], [...npm.slice(1), ...flags], { cwd: root, stdio: 'inherit' });
  if (result.status !== 0) {
    console.error('Installing packages failed. Fix the message above and run the command again.');
    process.exit(result.status ?? 1);
  }
  writeFileSync(stampFile, `${lockfileHash} ${withDev ? 'all' : 'production'}\n`);
}

if (!isInstalled()) {
  takeLock();
  try {
    if (!isInstalled()) install();
  } finally {
    rmSync(lockFolder, { recursive: true, force: true });
  }
}
