import { systemClock } from '#kit';
import { readConfigText } from '#layouts';
import type { Postgres } from '#postgres';
import type { Scope } from '#scope';
import { silentTelemetry, type Telemetry } from '#telemetry';

/** Enough for the largest layout sixteen times over; ordinary ones are a hundredth of it. */
const LIMIT_BYTES = 256 * 1024 * 1024;

type LayoutVersion = Readonly<{ layout_id: string; version: number; status: string }>;

/** A place that nodes share; it may know nothing at any time. */
export type SharedConfigs = Readonly<{
  layoutConfig(scope: Scope, layoutId: string, version: number): Promise<Buffer | null>;
  keepLayoutConfig(scope: Scope, layoutId: string, version: number, config: Buffer): void;
}>;

function nameOf({ organizationId }: Scope, { layout_id, version }: LayoutVersion): string {
  return `${organizationId} ${layout_id} ${version}`;
}

/**
 * Configs and drawings of versions that cannot change any more, by version: the first reader
 * fetches, everybody who asks meanwhile waits for the same answer, and the longest unused leave
 * when it is full. A draft is never kept.
 */
export class LayoutCache {
  readonly #postgres: Postgres;
  readonly #limit_bytes: number;
  readonly #shared: SharedConfigs | null;
  readonly #telemetry: Telemetry;
  readonly #entries = new Map<string, { bytes: number; content: Promise<Buffer | null> }>();
  #bytes = 0;

  constructor(
    postgres: Postgres,
    options: {
      limit_bytes?: number;
      shared?: SharedConfigs | undefined;
      telemetry?: Telemetry;
    } = {},
  ) {
    this.#postgres = postgres;
    this.#limit_bytes = options.limit_bytes ?? LIMIT_BYTES;
    this.#shared = options.shared ?? null;
    this.#telemetry = options.telemetry ?? silentTelemetry;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** UTF-8 JSON; null when there is no such version in this organization. */
  async config(scope: Scope, version: LayoutVersion): Promise<Buffer | null> {
    if (version.status === 'draft') return this.#read(scope, version);
    return this.#kept(`config ${nameOf(scope, version)}`, () => this.#read(scope, version));
  }

  /** A drawing of a version, compressed: made once from the config, by whoever can draw. */
  async drawing(
    scope: Scope,
    version: LayoutVersion & Readonly<{ drawing_id: string }>,
    draw: (config: string) => Promise<Buffer>,
  ): Promise<Buffer | null> {
    const name = `drawing ${nameOf(scope, version)} ${version.drawing_id}`;
    return this.#kept(name, async () => {
      // Not by way of the kept config: nobody else may need that, and it is ten times larger.
      const config = await this.#read(scope, version);
      return config && draw(config.toString());
    });
  }

  /** From memory or made now; how long that took, and which it was, is told. */
  async #kept(name: string, make: () => Promise<Buffer | null>): Promise<Buffer | null> {
    const asked_ms = systemClock.monotonic();
    const hit = this.#entries.has(name);
    try {
      return await this.#keptOrMade(name, make);
    } finally {
      const duration_ms = systemClock.monotonic() - asked_ms;
      const lookup = { kind: 'cache.lookup', what: 'layout', source: 'memory' } as const;
      this.#telemetry.emit({ ...lookup, hit, duration_ms });
      this.#telemetry.emit({ kind: 'layout.loaded', duration_ms });
    }
  }

  async #keptOrMade(name: string, make: () => Promise<Buffer | null>): Promise<Buffer | null> {
    const known = this.#entries.get(name);
    if (known) {
      // Moved to the end: the first one is then the longest unused.
      this.#entries.delete(name);
      this.#entries.set(name, known);
      return known.content;
    }
    const entry = { bytes: 0, content: make() };
    this.#entries.set(name, entry);
    try {
      entry.bytes = (await entry.content)?.length ?? 0;
    } catch (error) {
      this.#entries.delete(name);
      throw error;
    }
    if (this.#entries.get(name) === entry) this.#bytes += entry.bytes;
    this.#evict();
    return entry.content;
  }

  /** From whoever has read it before, if it cannot change any more, else from Postgres. */
  async #read(scope: Scope, version: LayoutVersion): Promise<Buffer | null> {
    const shared = version.status === 'draft' ? null : this.#shared;
    const known = await shared?.layoutConfig(scope, version.layout_id, version.version);
    if (known) return known;
    const asked_ms = systemClock.monotonic();
    const config = await this.#readTruth(scope, version);
    const duration_ms = systemClock.monotonic() - asked_ms;
    const lookup = { kind: 'cache.lookup', what: 'layout', source: 'db' } as const;
    this.#telemetry.emit({ ...lookup, hit: config !== null, duration_ms });
    if (config) shared?.keepLayoutConfig(scope, version.layout_id, version.version, config);
    return config;
  }

  async #readTruth(
    scope: Scope,
    version: { layout_id: string; version: number },
  ): Promise<Buffer | null> {
    const [row] = await this.#postgres.transaction(scope, { name: 'layouts.config' }, (one) =>
      one.query(readConfigText(scope.organizationId, version.layout_id, version.version)),
    );
    return row ? Buffer.from(row.config) : null;
  }

  #evict(): void {
    for (const [name, entry] of this.#entries) {
      if (this.#bytes <= this.#limit_bytes) return;
      this.#entries.delete(name);
      this.#bytes -= entry.bytes;
    }
  }
}
