import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { systemClock } from '@voelgoed/engine/kit';

const run = promisify(execFile);

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** When a process began, as an opaque text; empty when the system does not tell. */
export async function startedAt(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    // The name in brackets may contain spaces; the 20th field after it is the start time.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  }
  const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return stdout.trim().replaceAll(' ', '_');
}

/**
 * Is this process a server of that name, working in that folder? Guards against a reused number.
 */
export async function isServerOf(pid: number, name: string, folder: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform === 'linux') {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
    return command.includes(name) && cwd === folder;
  }
  const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return stdout.includes(name);
}

/** Waits until a process is gone; false when it is still there after `limit_ms`. */
export async function waitUntilGone(pid: number, limit_ms: number): Promise<boolean> {
  const deadline = systemClock.monotonic() + limit_ms;
  while (isAlive(pid)) {
    if (systemClock.monotonic() > deadline) return false;
    await systemClock.sleep(20);
  }
  return true;
}
