import { type EventBlock, type NextRows, type ToldRow, wholeList } from '@voelgoed/client/client';
import { desk, Resource } from '#desk';

const PAGE = 500;
/** Changes after which the list is another one. */
const BLOCKING = /^(?:seat_blocked|seat_unblocked|ticket_|event_)/;

/** What was closed for one reason, by whom and when: the newest first. */
export type Reason = Readonly<{
  /** Null: since the event was planned. */
  reason: string | null;
  isPlanned: boolean;
  /** Or by a block so long ago that it was not looked for. */
  isCut: boolean;
  blocks: readonly EventBlock[];
  seat_ids: readonly string[];
  needs: number;
}>;

/** Which seats are out of the sale, and why: fetched, and again when the event's log says so. */
export class BlockBook extends Resource<readonly EventBlock[]> {
  #isAsking = false;
  #isWanted = false;

  constructor(eventId: string) {
    super(() =>
      wholeList((next: NextRows | undefined) =>
        desk.client.boxOffice.blocks(eventId, { ...next, limit: PAGE }),
      ),
    );
  }

  readonly reasons: readonly Reason[] = $derived.by(() => {
    const keyOf = ({ block_id, reason }: EventBlock) =>
      block_id === null ? null : (reason ?? '').trim();
    return [...Map.groupBy(this.value ?? [], keyOf)].map(([reason, blocks]) => ({
      reason: reason || null,
      isPlanned: reason === null,
      isCut: blocks.some(({ is_cut }) => is_cut),
      blocks,
      seat_ids: blocks.flatMap(({ seat_ids }) => seat_ids),
      needs: blocks.reduce((sum, { needs_reseating }) => sum + needs_reseating.length, 0),
    }));
  });

  readonly blocked: ReadonlySet<string> = $derived(
    new Set((this.value ?? []).flatMap(({ seat_ids }) => seat_ids)),
  );
  readonly needing: ReadonlySet<string> = $derived(
    new Set((this.value ?? []).flatMap(({ needs_reseating }) => needs_reseating)),
  );

  hear(rows: readonly ToldRow[]): void {
    const isOther = rows.some(({ changes }) => changes.some(({ kind }) => BLOCKING.test(kind)));
    if (isOther) void this.renew();
  }

  /** One question at a time; what came meanwhile is asked about after it. */
  async renew(): Promise<void> {
    this.#isWanted = true;
    if (this.#isAsking) return;
    this.#isAsking = true;
    while (this.#isWanted) {
      this.#isWanted = false;
      await this.load();
    }
    this.#isAsking = false;
  }
}
