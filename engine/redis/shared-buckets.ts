import { type BucketRate, forgetOldest, Gathering, retryAfter_s, type Taken } from '#kit';
import type { Circuit } from './circuit.ts';
import type { RedisLink } from './connection.ts';
import { organizationKeys } from './keys.ts';
import { readScript } from './script.ts';

const BUCKET = readScript(new URL('./bucket.lua', import.meta.url));
const MOST_PER_CALL = 256;
const MOST_ORGANIZATIONS = 10_000;

/** Which bucket: of an organization, of a kind, somebody's. */
export type BucketName = Readonly<{ organizationId: string; kind: string; who: string }>;

type Wish = Readonly<{ key: string; rate: BucketRate; count: number }>;
type Answer = readonly [given: number, tokens: string];

/** Buckets in Redis, so that asking another node helps nobody. */
export class SharedBuckets {
  readonly #connection: RedisLink;
  readonly #circuit: Circuit;
  /** By organization: its buckets are in one slot of a cluster. */
  readonly #gatherings = new Map<string, Gathering<Wish, Answer>>();

  constructor(connection: RedisLink, circuit: Circuit) {
    this.#connection = connection;
    this.#circuit = circuit;
  }

  /** False: Redis cannot say, and every node is on its own. */
  get isThere(): boolean {
    return this.#circuit.isClosed;
  }

  /** Null: Redis cannot say. */
  async take(name: BucketName, rate: BucketRate, count: number): Promise<Taken | null> {
    if (!this.isThere) return null;
    try {
      const [given, text] = await this.#ask(name, rate, count);
      const tokens = Number(text);
      const remaining = Math.floor(tokens);
      if (given === 1) return { ok: true, remaining, retry_after_s: 0 };
      return { ok: false, remaining, retry_after_s: retryAfter_s(rate, tokens, count) };
    } catch {
      return null;
    }
  }

  /** What was taken for something that did not happen. */
  giveBack(name: BucketName, rate: BucketRate, count: number): void {
    if (count > 0 && this.isThere) this.#ask(name, rate, -count).catch(() => {});
  }

  #ask({ organizationId, kind, who }: BucketName, rate: BucketRate, count: number) {
    const key = organizationKeys(organizationId).limit(kind, who);
    return this.#gatheringOf(organizationId).ask({ key, rate, count });
  }

  #gatheringOf(organizationId: string): Gathering<Wish, Answer> {
    const known = this.#gatherings.get(organizationId);
    if (known) return known;
    const gathering = new Gathering<Wish, Answer>((wishes) => this.#send(wishes), MOST_PER_CALL);
    this.#gatherings.set(organizationId, gathering);
    forgetOldest(this.#gatherings, MOST_ORGANIZATIONS);
    return gathering;
  }

  #send(wishes: readonly Wish[]): Promise<readonly Answer[]> {
    const keys = wishes.map(({ key }) => key);
    const words = wishes.flatMap(({ rate, count }) => [
      rate.tokens / (rate.seconds * 1_000),
      rate.capacity,
      count,
    ]);
    const run = () => this.#connection.run(BUCKET, keys, words);
    return this.#circuit.run(run) as Promise<readonly Answer[]>;
  }
}
