import { repeat, sweepOnce } from '@voelgoed/engine/jobs';
import { assert, reasonOf, systemClock, systemRandom } from '@voelgoed/engine/kit';
import { Postgres } from '@voelgoed/engine/postgres';
import { PostgresFeed, SeatRegistry } from '@voelgoed/engine/registry';
import { scopeOf } from '@voelgoed/engine/scope';
import { countOfBoard, WarmTier } from '@voelgoed/engine/warm';
import { Load } from './load.ts';
import type { NodeReport, NodeSettings, Numbered, Order, Reply } from './messages.ts';
import { Recorder } from './recorder.ts';
import { storeFor } from './weak-store.ts';
import { Wisher } from './wishing.ts';

const SWEEP_MS = 500;
/** A Redis that is back is noticed this soon. */
const PROBE_MS = 500;
/** A wish whose outcome is unknown is asked for again until it is known, within reason. */
const AGAIN = 10;

/** What tells happenings of one kind apart. */
const DETAILS = ['outcome', 'trouble', 'committed', 'verdict', 'state'] as const;

/** One node: an engine as the server opens it, without HTTP, and the buyers that hammer it. */
class HammerNode {
  readonly #settings: NodeSettings;
  readonly #happened: Record<string, number> = {};
  readonly #recorder: Recorder;
  readonly #stop = { armed: false, onStop: () => this.#recorder.mark('stopped') };
  readonly #parts;
  readonly #wisher: Wisher;
  #load: Load | null = null;

  constructor(settings: NodeSettings) {
    this.#settings = settings;
    this.#recorder = new Recorder(settings.name, settings.historyFile);
    this.#parts = this.#open();
    const { registry, event, clock } = this.#parts;
    this.#wisher = new Wisher({ registry, event, clock, recorder: this.#recorder });
  }

  async obey(order: Order): Promise<void> {
    const { clock } = this.#parts;
    if (order.kind === 'start') {
      await this.#parts.warm?.connect();
      await this.#wisher.prepare();
    }
    if (order.kind === 'load') {
      assert(!this.#load, 'one load at a time');
      this.#load = new Load(this.#settings.name, order.load, this.#wisher, clock);
    }
    if (order.kind === 'rest') {
      await this.#load?.rest();
      this.#load = null;
    }
    if (order.kind === 'stop_inside') this.#stop.armed = true;
    if (order.kind === 'again') {
      for (const wish of order.wishes) {
        for (let tries = 0; tries < AGAIN; tries++) {
          const { outcome } = await this.#wisher.send(wish);
          if (outcome === 'done' || outcome === 'refused') break;
          await clock.sleep(50);
        }
      }
    }
    if (order.kind === 'end') await this.#close();
  }

  async report(): Promise<NodeReport> {
    const { registry, event, warm } = this.#parts;
    const board = await registry.board(event).catch(() => null);
    const count = board && (await warm?.compare(event, board).catch(() => null));
    const isEqual = board !== null && count?.digest === countOfBoard(board).digest;
    return {
      redis: warm && { state: warm.state, isEqual },
      board: board && { revision: board.revision, digest: board.digest },
      happened: this.#happened,
    };
  }

  #open() {
    const { appUrl, jobsUrl, writerUrl, organizationId, eventId, demoHoldSeconds } = this.#settings;
    const { clock_shift_ms, weakness } = this.#settings;
    const clock = {
      ...systemClock,
      now: () => systemClock.now() + clock_shift_ms,
      // Where a monotonic clock begins means nothing; somebody may think it does.
      monotonic: () => systemClock.monotonic() + Math.max(0, clock_shift_ms),
    };
    const telemetry = { emit: (one: { kind: string }) => this.#count(one) };
    const tools = { clock, random: systemRandom, telemetry };
    const postgres = new Postgres({ appUrl, jobsUrl, writerUrl, ...tools });
    const feed = new PostgresFeed({ ...tools, url: jobsUrl });
    const store = storeFor(postgres, weakness, this.#stop);
    const { redisUrl: url } = this.#settings;
    const warm = url ? new WarmTier({ ...tools, url, otherwise: feed, probe_ms: PROBE_MS }) : null;
    const tiers = { feed: warm?.feed ?? feed, claims: warm?.claims, watch: warm?.watch };
    const registry = new SeatRegistry({ ...tools, demoHoldSeconds, store, ...tiers });
    void feed.start(registry);
    registry.start();
    warm?.attach(registry);
    warm?.start();
    const sweep = repeat('sweep', SWEEP_MS, tools, async () => {
      if (this.#settings.sweeps) await sweepOnce({ ...tools, postgres, registry });
    });
    const event = eventOf(organizationId, eventId);
    return { clock, postgres, feed, registry, warm, sweep, event };
  }

  #count(happening: { kind: string } & Partial<Record<(typeof DETAILS)[number], unknown>>) {
    const { kind } = happening;
    if (kind === 'postgres.statement' || kind === 'redis.command') return;
    const detail = DETAILS.map((name) => happening[name]).find((one) => one !== undefined) ?? '';
    const name = detail ? `${kind} ${detail}` : kind;
    this.#happened[name] = (this.#happened[name] ?? 0) + 1;
  }

  async #close(): Promise<void> {
    await this.#load?.rest();
    const { sweep, feed, registry, postgres, warm } = this.#parts;
    await sweep.stop();
    await feed.stop();
    await registry.stop();
    await warm?.close();
    await postgres.close();
  }
}

function eventOf(organizationId: string, eventId: string) {
  return { scope: scopeOf(organizationId), eventId };
}

let node: HammerNode | undefined;

async function answer({ number, message }: Numbered<Order>): Promise<Numbered<Reply>> {
  try {
    if (message.kind === 'start') node = new HammerNode(message.settings);
    assert(node, 'a node is started first');
    await node.obey(message);
    const ended = { board: null, redis: null, happened: {} };
    return { number, message: { report: message.kind === 'end' ? ended : await node.report() } };
  } catch (error) {
    return { number, message: { error: reasonOf(error) } };
  }
}

process.on('message', (order: Numbered<Order>) => {
  void answer(order).then((reply) => {
    process.send?.(reply, () => {
      if (order.message.kind === 'end') process.disconnect?.();
    });
  });
});
// Whoever started us is gone: nobody will ever ask for anything again.
process.on('disconnect', () => process.exit());
