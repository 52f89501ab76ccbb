import { openSync, writeSync } from 'node:fs';
import { type Random, systemClock } from '@voelgoed/engine/kit';
import { signPayment } from '@voelgoed/server/routes';
import { signToken } from '@voelgoed/server/tokens';
import { machine_ms } from '#hammer';
import type { HistoryLine } from '#history';
import { Canaries } from './canaries.ts';
import { Connections, type Reply } from './connection.ts';
import { type Request, requestOf, returnedOf } from './requests.ts';
import type { CrowdStage, CrowdWish, Returned } from './stage.ts';

/** A second longer than a node gives itself; who waits longer has left. */
const TIMEOUT_MS = 4_500;
/** Longer than any run, also on a database whose clock is a day ahead. */
const TOKEN_SECONDS = 72 * 3_600;
/** Written at once; the process that writes is never killed. */
const BUFFER_CHARACTERS = 256 * 1024;
const STAFF = 'staff';

export type Counts = {
  operations: number;
  done: number;
  refused: number;
  failed: number;
  unknown: number;
};

/**
 * Sends wishes and writes down what came of them, with one monotonic clock. It chooses among the
 * nodes in rotation as a balancer does: a connection that cannot be made is tried elsewhere.
 */
export class Sender {
  readonly counts: Counts = { operations: 0, done: 0, refused: 0, failed: 0, unknown: 0 };
  /** How often which answer was given to which wish. */
  readonly answers: Record<string, number> = {};
  readonly canaries: Canaries;
  /** Wishes with a key of which nobody knows how they ended. */
  readonly unknown = new Map<string, CrowdWish>();
  readonly #stage: CrowdStage;
  readonly #random: Random;
  readonly #nodes: readonly Connections[];
  readonly #rotation = new Set<number>();
  readonly #organizationOf = new Map<string, string>();
  readonly #tokens = new Map<string, string>();
  readonly #file: number;
  #buffer: string[] = [];
  #buffered = 0;

  constructor(stage: CrowdStage, random: Random) {
    this.#stage = stage;
    this.#random = random;
    this.#nodes = stage.addresses.map((address) => new Connections(address));
    for (const index of this.#nodes.keys()) this.#rotation.add(index);
    for (const { organizationId, events } of stage.organizations) {
      for (const { eventId } of events) this.#organizationOf.set(eventId, organizationId);
    }
    this.canaries = new Canaries(stage.organizations);
    // Of an earlier run with this seed nothing stays: two runs in one file would be one that lies.
    this.#file = openSync(stage.historyFile, 'w');
  }

  /** The token of somebody, by the subject that it names. */
  admit(user: string, organizationId: string, subject: string): void {
    this.#tokens.set(user, this.#tokenOf(organizationId, subject, 'customer'));
  }

  tokenOf(user: string): string {
    return this.#tokens.get(user) ?? '';
  }

  /** Takes a node out of the rotation, or puts it back; what is under way there goes on. */
  async rotate(node: number, isIn: boolean): Promise<void> {
    if (isIn) this.#rotation.add(node);
    else this.#rotation.delete(node);
    while (!isIn && (this.#nodes[node]?.under_way ?? 0) > 0) await systemClock.sleep(5);
  }

  async send(
    wish: CrowdWish,
    hangUp_ms: number | null = null,
    node: number | null = null,
  ): Promise<Returned> {
    const number = ++this.counts.operations;
    const invoked_ms = machine_ms();
    const reply = await this.#ask(wish, hangUp_ms, node);
    const returned_ms = machine_ms();
    const returned = returnedOf(wish, reply);
    this.#count(wish, returned);
    const { event, asked, user, key } = wish;
    const told = { node: 'crowd', number, event, wish: wish.wish, asked, user, key };
    this.#write({ kind: 'operation', ...told, invoked_ms, returned_ms, ...returned });
    return returned;
  }

  mark(name: string): void {
    this.#write({ kind: 'mark', name, at_ms: machine_ms() });
    this.flush();
  }

  flush(): void {
    if (this.#buffered === 0) return;
    writeSync(this.#file, this.#buffer.join(''));
    this.#buffer = [];
    this.#buffered = 0;
  }

  close(): void {
    this.flush();
    for (const node of this.#nodes) node.close();
  }

  async #ask(wish: CrowdWish, hangUp_ms: number | null, node: number | null): Promise<Reply> {
    const request = requestOf(wish);
    const patience = { timeout_ms: TIMEOUT_MS, hangUp_ms };
    const text = this.#textOf(wish, request);
    const tried = new Set<number>();
    for (;;) {
      const chosen = node ?? this.#choose(tried);
      if (chosen === null) return { kind: 'unsent' };
      tried.add(chosen);
      const reply = await this.#nodes[chosen]?.send(text, patience);
      if (!reply) return { kind: 'unsent' };
      if (reply.kind === 'answer') this.#look(wish, request, reply.text);
      if (reply.kind !== 'unsent' || node !== null) return reply;
    }
  }

  #choose(tried: ReadonlySet<number>): number | null {
    const left = [...this.#rotation].filter((one) => !tried.has(one));
    return left[Math.floor(this.#random.next() * left.length)] ?? null;
  }

  #look({ event, asked }: CrowdWish, { as }: Request, text: string): void {
    const organizationId = this.#organizationOf.get(event) ?? '';
    // Refusals tell of others' holds; what is answered otherwise is one's own.
    const own = !text.startsWith('{"error"') && asked.op !== 'read';
    this.canaries.look(text, { organizationId, staff: as === 'staff', own }, asked.op);
  }

  #textOf({ event, user, key }: CrowdWish, { method, path, body, as }: Request): string {
    const json = body === null ? null : JSON.stringify(body);
    const lines = [`${method} ${path} HTTP/1.1`, 'host: localhost'];
    if (as === 'provider') {
      const now = Math.floor(systemClock.now() / 1_000);
      lines.push(`x-signature: ${signPayment(this.#stage.paymentSecret, json ?? '', now)}`);
    } else {
      const token = as === 'staff' ? this.#staffToken(event) : this.tokenOf(user);
      lines.push(`authorization: Bearer ${token}`);
    }
    if (key !== null && as !== 'provider') lines.push(`idempotency-key: ${key}`);
    if (json !== null) {
      lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(json)}`);
    }
    return `${lines.join('\r\n')}\r\n\r\n${json ?? ''}`;
  }

  #staffToken(event: string): string {
    const organizationId = this.#organizationOf.get(event) ?? '';
    const name = `${STAFF} ${organizationId}`;
    const known = this.#tokens.get(name);
    if (known) return known;
    const token = this.#tokenOf(organizationId, STAFF, 'owner');
    this.#tokens.set(name, token);
    return token;
  }

  #tokenOf(organizationId: string, subject: string, role: 'customer' | 'owner'): string {
    const expires = Math.floor(systemClock.now() / 1_000) + TOKEN_SECONDS;
    return signToken(this.#stage.authSecret, { subject, organizationId, role, expires });
  }

  #count(wish: CrowdWish, { outcome, code }: Returned): void {
    this.counts[outcome]++;
    const name = `${wish.asked.op} ${outcome} ${code}`;
    this.answers[name] = (this.answers[name] ?? 0) + 1;
    if (wish.key !== null && outcome === 'unknown') this.unknown.set(wish.wish, wish);
  }

  #write(line: HistoryLine): void {
    const text = `${JSON.stringify(line)}\n`;
    this.#buffer.push(text);
    this.#buffered += text.length;
    if (this.#buffered > BUFFER_CHARACTERS) this.flush();
  }
}
