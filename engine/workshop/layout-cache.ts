import { readConfigText } from '#layouts';
import type { Postgres } from '#postgres';
import type { Scope } from '#scope';

/** Enough for the largest layout sixteen times over; ordinary ones are a hundredth of it. */
const LIMIT_BYTES = 256 * 1024 * 1024;

/**
 * Configs of versions that cannot change any more, by version: the first reader fetches, everybody
 * who asks meanwhile waits for the same answer, and the longest unused leave when it is full. A
 * draft is never kept.
 */
export class LayoutCache {
  readonly #postgres: Postgres;
  readonly #limit_bytes: number;
  readonly #entries = new Map<string, { bytes: number; config: Promise<Buffer | null> }>();
  #bytes = 0;

  constructor(postgres: Postgres, limit_bytes = LIMIT_BYTES) {
    this.#postgres = postgres;
    this.#limit_bytes = limit_bytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** UTF-8 JSON; null when there is no such version in this organization. */
  async config(
    scope: Scope,
    version: { layout_id: string; version: number; status: string },
  ): Promise<Buffer | null> {
    if (version.status === 'draft') return this.#read(scope, version);
    const name = `${scope.organizationId} ${version.layout_id} ${version.version}`;
    const known = this.#entries.get(name);
    if (known) {
      // Moved to the end: the first one is then the longest unused.
      this.#entries.delete(name);
      this.#entries.set(name, known);
      return known.config;
    }
    const entry = { bytes: 0, config: this.#read(scope, version) };
    this.#entries.set(name, entry);
    try {
      entry.bytes = (await entry.config)?.length ?? 0;
    } catch (error) {
      this.#entries.delete(name);
      throw error;
    }
    if (this.#entries.get(name) === entry) this.#bytes += entry.bytes;
    this.#evict();
    return entry.config;
  }

  async #read(
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
