import { type ChildProcess, spawn } from 'node:child_process';
import { open, readFile, stat, truncate } from 'node:fs/promises';
import { backoff, OperatingError, reasonOf, systemClock, systemRandom } from '@voelgoed/engine/kit';
import { waitUntilGone } from './process-table.ts';
import type { ServiceUser } from './users.ts';

export type ServiceLog = (line: string) => void;

export type ServiceOptions = Readonly<{
  name: string;
  command: string;
  args: readonly string[];
  cwd: string;
  user: ServiceUser;
  environment?: Readonly<Record<string, string>> | undefined;
  logFile: string;
  /** Asked again and again after the start; throwing counts as not yet. */
  isReady(): Promise<boolean>;
  stopSignal: NodeJS.Signals;
  log: ServiceLog;
  /** Told when the service keeps dying and we have given up. */
  onGone(error: Error): void;
}>;

export type Service = Readonly<{
  pid(): number;
  stop(): Promise<void>;
  /** As a machine that dies: at once, and nobody starts it again. */
  die(): Promise<void>;
}>;

/** Crash recovery of a busy database takes seconds; interrupting it would begin it anew. */
const READY_MS = 300_000;
const STOP_MS = 15_000;
/**
 * A service that dies more often than this within a minute has a reason that a restart won't
 * cure.
 */
const RESTARTS_PER_MINUTE = 6;
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;

/**
 * Starts a service and keeps it alive. It runs in a process group of its own: Ctrl-C in a terminal
 * goes to the whole group in front, and the database must outlive the server's last commit.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const supervisor = new Supervisor(options);
  await supervisor.start();
  return {
    pid: () => supervisor.pid,
    stop: () => supervisor.stop(),
    die: () => supervisor.die(),
  };
}

class Supervisor {
  readonly #options: ServiceOptions;
  #child: ChildProcess | undefined;
  #stopping = false;
  #starting: Promise<void> = Promise.resolve();
  #deaths: number[] = [];
  #lastProblem = '';

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  start(): Promise<void> {
    this.#starting = this.#startUntilReady();
    return this.#starting;
  }

  /**
   * A start that is under way sees that it is over and ends by itself; then the rest is stopped.
   */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#starting.catch(() => {});
    await this.#end();
  }

  async die(): Promise<void> {
    this.#stopping = true;
    const { pid } = this;
    this.#child?.kill('SIGKILL');
    await waitUntilGone(pid, STOP_MS);
  }

  /**
   * Tries again when the service dies at once: the remains of a killed one may still be leaving.
   */
  async #startUntilReady(): Promise<void> {
    const deadline = systemClock.monotonic() + READY_MS;
    for (let attempt = 0; !this.#stopping; attempt++) {
      await this.#spawn();
      if (await this.#becomesReady(deadline)) return this.#watch();
      if (this.#stopping) return;
      if (systemClock.monotonic() > deadline || this.#diesTooOften()) {
        await this.#end();
        throw await this.#failure();
      }
      await systemClock.sleep(backoff(attempt, { first_ms: 100, most_ms: 2_000 }, systemRandom));
    }
  }

  /** From now on its end is a surprise, also if it came while we were looking elsewhere. */
  #watch(): void {
    if (this.#hasEnded()) void this.#restart();
    else this.#child?.once('exit', () => void this.#restart());
  }

  #hasEnded(): boolean {
    return this.#child?.exitCode !== null || this.#child.signalCode !== null;
  }

  async #end(): Promise<void> {
    const { pid } = this;
    if (!pid || this.#hasEnded()) return;
    this.#child?.kill(this.#options.stopSignal);
    if (await waitUntilGone(pid, STOP_MS)) return;
    this.#options.log(`${this.#options.name} did not stop in ${STOP_MS / 1_000} s and is killed`);
    this.#child?.kill('SIGKILL');
    await waitUntilGone(pid, STOP_MS);
  }

  async #spawn(): Promise<void> {
    const { command, args, cwd, user, logFile, environment } = this.#options;
    const size = (await stat(logFile).catch(() => null))?.size ?? 0;
    if (size > LOG_LIMIT_BYTES) await truncate(logFile);
    const log = await open(logFile, 'a', 0o600);
    try {
      this.#child = spawn(command, args, {
        cwd,
        detached: true,
        stdio: ['ignore', log.fd, log.fd],
        // A clean environment: PGPORT and friends of the caller must not reach the service.
        env: { LC_ALL: 'C', TZ: 'UTC', ...environment },
        ...(user ? { uid: user.uid, gid: user.gid } : {}),
      });
      await new Promise<void>((started, failed) => {
        this.#child?.once('spawn', started);
        this.#child?.once('error', failed);
      });
    } finally {
      await log.close();
    }
  }

  async #becomesReady(deadline: number): Promise<boolean> {
    while (systemClock.monotonic() < deadline && !this.#stopping) {
      if (this.#hasEnded()) return false;
      const ready = await this.#options.isReady().catch((error: unknown) => {
        this.#lastProblem = reasonOf(error);
        return false;
      });
      if (ready) return true;
      await systemClock.sleep(20);
    }
    return false;
  }

  async #restart(): Promise<void> {
    if (this.#stopping) return;
    this.#options.log(`${this.#options.name} ended unexpectedly and is started again`);
    try {
      if (this.#diesTooOften()) throw await this.#failure();
      await this.start();
      if (!this.#stopping) this.#options.log(`${this.#options.name} is back`);
    } catch (error) {
      if (!this.#stopping) this.#options.onGone(error as Error);
    }
  }

  #diesTooOften(): boolean {
    const now = systemClock.monotonic();
    this.#deaths = [...this.#deaths.filter((at) => at > now - 60_000), now];
    return this.#deaths.length > RESTARTS_PER_MINUTE;
  }

  async #failure(): Promise<OperatingError> {
    const { name, logFile } = this.#options;
    const text = await readFile(logFile, 'utf8').catch(() => '');
    const tail = text.trim().split('\n').slice(-12).join('\n  ');
    const last = this.#lastProblem && ` (${this.#lastProblem})`;
    const message = `${name} could not be started${last}. The end of ${logFile}:\n  ${tail}`;
    return new OperatingError('service_failed', message, { retryable: false });
  }
}
