import type { Board, BoardConfig, BoardPlan, Change, ChangeRow } from '#board';
import { type Clock, uuidOf } from '#kit';
import type { Postgres, Transaction } from '#postgres';
import { type EventRef, openSnapshot, readChanges } from '#registry';
import type { Scope } from '#scope';
import { capacityMessages, type Levels } from './capacity-rules.ts';
import {
  insertDeliveries,
  type LeasedWebhook,
  lockCursor,
  moveCursor,
  reserveNumbers,
} from './courier.sql.ts';
import { checkoutFacts, eventFacts, holdFacts, ticketFacts, zoneFacts } from './facts.sql.ts';
import { kindsOf, type WebhookKind } from './kinds.ts';
import {
  type Facts,
  idsIn,
  type Message,
  messagesOf,
  namesOrdinals,
  thingsIn,
} from './messages.ts';

/** Rows of the log that are read at a time, and messages after which no more rows are. */
const ROWS = 100;
const MESSAGES = 200;
/**
 * Holds, tickets and seats after which no more rows are told at once. In a rush a row has up to a
 * thousand: looking all of a hundred rows up would take longer than a statement may.
 */
const THINGS = 2_000;

export type Lease = Readonly<{
  scope: Scope;
  leaseId: string;
  webhook: LeasedWebhook;
  /** When the turn began. */
  since: string;
}>;

export type QueueTools = Readonly<{
  postgres: Postgres;
  clock: Clock;
  lease_s: number;
  /** The seats of a plan, which are kept in memory. */
  planOf(scope: Scope, layout: BoardConfig['layout'], seats: number): Promise<BoardPlan>;
}>;

/** The lease has run out and somebody else works for the endpoint: nothing may be written. */
export class LeaseLost extends Error {}

type Place = Pick<ChangeRow, 'revision' | 'at_ms' | 'hash'>;
type Told = Message & Place;

/**
 * Reads the log of one event from the endpoint's cursor on, writes down what is to be told, and
 * moves the cursor, in one commit: nothing is left out and nothing is queued twice.
 */
export function queueEvent(
  tools: QueueTools,
  lease: Lease,
  eventId: string,
): Promise<{ queued: number; more: boolean }> {
  const { scope, webhook } = lease;
  const event: EventRef = { scope, eventId };
  const options = { name: 'webhooks.queue', pool: 'jobs' } as const;
  return tools.postgres.transaction(scope, options, async (transaction) => {
    const place = [scope.organizationId, webhook.webhook_id, eventId] as const;
    const [cursor] = await transaction.query(lockCursor(...place));
    if (!cursor) throw new LeaseLost('the endpoint is gone');
    // One more than is told: whether the end of the log is reached must be known.
    const rows = await readChanges(transaction, event, cursor.revision, ROWS + 1);
    const wants = wantedBy(webhook);
    const { told, last } = await tellRows(tools, transaction, event, rows.slice(0, ROWS), wants);
    if (!last) return { queued: 0, more: false };
    const more = last.revision !== rows.at(-1)?.revision;
    let levels: Levels = cursor.levels;
    if (!more && wants('capacity_critical')) {
      const zones = await transaction.query(zoneFacts(scope.organizationId, eventId));
      const looked = capacityMessages(cursor.levels, zones);
      levels = looked.levels;
      told.push(...looked.messages.map((message) => ({ ...message, ...last })));
    }
    await write(tools, transaction, lease, event, told);
    await transaction.query(moveCursor(...place, last.revision, JSON.stringify(levels)));
    return { queued: told.length, more };
  });
}

function wantedBy({ kinds }: LeasedWebhook): (kind: WebhookKind) => boolean {
  if (kinds.length === 0) return () => true;
  const wanted = new Set(kinds);
  return (kind) => wanted.has(kind);
}

async function tellRows(
  tools: QueueTools,
  transaction: Transaction,
  event: EventRef,
  read: readonly ChangeRow[],
  wants: (kind: WebhookKind) => boolean,
): Promise<{ told: Told[]; last: Place | null }> {
  const isWanted = (change: Change) => kindsOf(change).some(wants);
  const rows = firstOf(read, isWanted);
  const changes = rows.flatMap((row) => row.changes).filter(isWanted);
  const facts = await readFacts(transaction, event, idsIn(changes));
  const told: Told[] = [];
  let last: Place | null = null;
  let board: Board | null = null;
  for (const row of rows) {
    const needsPlan = row.changes.some((change) => namesOrdinals(change) && isWanted(change));
    const isNew = row.changes.some(({ kind }) => kind === 'planned');
    if (isNew) board = null;
    // Ordinals are those of the plan in force, which a snapshot at or before the revision has.
    if (needsPlan && !board) {
      board = await openSnapshot(transaction, event, row.revision, (layout, seats) =>
        tools.planOf(event.scope, layout, seats),
      );
    }
    const seatAt = seatsOf(board);
    const { revision, at_ms, hash } = row;
    last = { revision, at_ms, hash };
    for (const message of messagesOf(row, wants, { ...facts, seatAt })) {
      told.push({ ...message, ...last });
    }
    if (told.length >= MESSAGES) break;
  }
  return { told, last };
}

/** As many rows as can be told at once: at least one. */
function firstOf(
  rows: readonly ChangeRow[],
  isWanted: (change: Change) => boolean,
): readonly ChangeRow[] {
  let things = 0;
  const end = rows.findIndex((row, index) => {
    things += thingsIn(row.changes.filter(isWanted));
    return index > 0 && things > THINGS;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

function seatsOf(board: Board | null): Facts['seatAt'] {
  return (ordinal) => {
    if (!board || ordinal < 0) return null;
    const { plan, config } = board;
    const zone = config.zones[plan.zoneOf(ordinal)];
    return {
      seat_id: plan.seatIdOf(ordinal),
      label: plan.labelOf(ordinal),
      zone_id: zone?.zone_id ?? '',
      zone_name: zone?.name ?? '',
    };
  };
}

async function readFacts(
  transaction: Transaction,
  { scope, eventId }: EventRef,
  ids: ReturnType<typeof idsIn>,
): Promise<Omit<Facts, 'seatAt'>> {
  const { organizationId } = scope;
  const some = <Row>(many: readonly string[], ask: () => Promise<Row[]>) =>
    many.length > 0 ? ask() : Promise.resolve([]);
  const holds = await some(ids.holds, () =>
    transaction.query(holdFacts(organizationId, eventId, ids.holds)),
  );
  const tickets = await some(ids.tickets, () =>
    transaction.query(ticketFacts(organizationId, eventId, ids.tickets)),
  );
  const checkouts = await some(ids.checkouts, () =>
    transaction.query(checkoutFacts(organizationId, ids.checkouts)),
  );
  return {
    holds: new Map(holds.map((hold) => [hold.hold_id, hold])),
    tickets: new Map(tickets.map((ticket) => [ticket.ticket_id, ticket])),
    checkouts: new Map(checkouts.map((checkout) => [checkout.checkout_id, checkout])),
  };
}

async function write(
  { clock, lease_s }: QueueTools,
  transaction: Transaction,
  { scope, leaseId, webhook, since }: Lease,
  { eventId }: EventRef,
  told: readonly Told[],
): Promise<void> {
  const { organizationId } = scope;
  const { webhook_id } = webhook;
  const now = new Date(clock.now()).toISOString();
  const [reserved] = await transaction.query(
    reserveNumbers(organizationId, webhook_id, leaseId, told.length, since, lease_s),
  );
  if (!reserved) throw new LeaseLost('the lease is over');
  if (told.length === 0) return;
  const [event = null] = await transaction.query(eventFacts(organizationId, eventId));
  const first = reserved.last - told.length + 1;
  const rows = told.map(({ kind, part, revision, at_ms, hash, data }, index) => {
    // Of the row, not of its number: after a restore other things get the same numbers, and who
    // remembers what has arrived must not take them for known.
    const id = uuidOf('webhook delivery', webhook_id, eventId, hash, part);
    const timestamp = new Date(at_ms).toISOString();
    const ids = { organization_id: organizationId, webhook_id, event_id: eventId, revision };
    return {
      delivery_id: id,
      sequence: first + index,
      event_id: eventId,
      revision,
      kind,
      happened_at: timestamp,
      payload: { id, kind, ...ids, timestamp, event, data },
    };
  });
  await transaction.query(insertDeliveries(organizationId, webhook_id, now, JSON.stringify(rows)));
}
