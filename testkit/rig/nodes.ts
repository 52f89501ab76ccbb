import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Phase, Stall } from '@voelgoed/faults/attacks';
import type { FaultProxy } from '@voelgoed/faults/proxy';
import { eventually } from '#eventually';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = fileURLToPath(new URL('./rig-node-program.ts', import.meta.url));
const SERVER = 'server/processes/start.ts';
/** Longer than a start takes on a busy machine. */
const START_MS = 120_000;

/** The links of a node, each by way of a proxy of its own. */
export type Links = Readonly<{ http: FaultProxy; postgres: FaultProxy; redis: FaultProxy }>;

type Settings = Readonly<Record<string, string>>;

/** One API node: the real server as a process that can be killed, stopped and started again. */
export class RigNode {
  readonly index: number;
  readonly links: Links;
  readonly #port: number;
  readonly #logFile: string;
  readonly #settings: () => Settings;
  #child: ChildProcess | null = null;
  /** What was different about it when it was started. */
  #different: Settings = {};
  /** Ends that were not asked for, of a node that had been ready. */
  #exits: string[] = [];
  #isAsked = false;
  #wasReady = false;

  constructor(options: {
    index: number;
    links: Links;
    port: number;
    logFile: string;
    settings(): Settings;
  }) {
    this.index = options.index;
    this.links = options.links;
    this.#port = options.port;
    this.#logFile = options.logFile;
    this.#settings = options.settings;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get isAlive(): boolean {
    const child = this.#child;
    return child !== null && child.exitCode === null && child.signalCode === null;
  }

  /** Not through the proxy, for whoever looks in from outside. */
  get direct(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Running with exactly these settings; one that already does stays. */
  async ensure(different: Settings = {}): Promise<void> {
    const isSame = JSON.stringify(different) === JSON.stringify(this.#different);
    if (this.isAlive && isSame) return;
    await this.stop();
    await this.start(different);
  }

  async start(different: Settings = this.#different): Promise<void> {
    this.#different = different;
    // As a supervisor does: a node whose start was too slow for itself is started again.
    const look = () => {
      if (!this.isAlive) this.#spawn();
      return this.isReady();
    };
    await eventually(look, { within_ms: START_MS, every_ms: 50 }).catch(() => {
      throw new Error(`node ${this.index} does not start:\n${this.logs().slice(-2_000)}`);
    });
    this.#wasReady = true;
  }

  #spawn(): void {
    this.#isAsked = false;
    this.#wasReady = false;
    const log = openSync(this.#logFile, 'a');
    const child = spawn(process.execPath, [PROGRAM, SERVER], {
      cwd: ROOT,
      stdio: ['ignore', log, log, 'ipc'],
      env: {
        PATH: process.env.PATH ?? '',
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
        PORT: String(this.#port),
        CHECKOUT_INTERVAL_SECONDS: '0',
        ...this.#settings(),
        ...this.#different,
      },
    });
    closeSync(log);
    this.#child = child;
    child.once('exit', (code, signal) => {
      if (this.#isAsked || !this.#wasReady) return;
      this.#exits.push(`${code === null ? signal : `code ${code}`}: ${this.lastWords()}`);
    });
  }

  /** The ends that were not asked for since this was last called: a node never ends by itself. */
  takeExits(): string[] {
    return this.#exits.splice(0);
  }

  /** What a node that has ended said last, without the lines of its requests. */
  lastWords(): string {
    const lines = this.logs().split('\n');
    const said = lines.filter((line) => line !== '' && !line.includes('"msg":"request"'));
    return `node ${this.index} has ended; it said last:\n${said.slice(-10).join('\n')}`;
  }

  async isReady(): Promise<boolean> {
    const reply = await fetch(`${this.direct}/health/ready`).catch(() => null);
    await reply?.arrayBuffer();
    return reply?.status === 200;
  }

  kill(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    if (signal === 'SIGKILL') this.#isAsked = true;
    if (this.isAlive) this.#child?.kill(signal);
  }

  /** Its event loop stands still for so long. */
  stall(phase: Phase, ms: number): void {
    const stall: Stall = { phase, ms };
    if (this.isAlive) this.#child?.send(stall);
  }

  /** As an operator does; it ends what is under way. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (!child || !this.isAlive) return;
    this.#isAsked = true;
    const gone = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    await gone;
  }

  async die(): Promise<void> {
    const child = this.#child;
    if (!child || !this.isAlive) return;
    this.#isAsked = true;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  logs(): string {
    return readFileSync(this.#logFile, 'utf8');
  }

  /** A series of its metrics, all labels together. */
  async metric(name: string): Promise<number> {
    const reply = await fetch(`${this.direct}/metrics`);
    const lines = (await reply.text()).split('\n');
    const own = lines.filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
    return own.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
  }
}
