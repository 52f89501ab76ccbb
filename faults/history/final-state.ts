import type { Change } from '@voelgoed/engine/board';

/** Everything that Postgres has about one event, at one moment. */
export type FinalState = Readonly<{
  revision: number;
  head: string;
  holds: readonly HoldRow[];
  seats: readonly SeatRow[];
  zones: readonly ZoneRow[];
  log: readonly LogEntry[];
  checkouts: readonly Readonly<{ checkout_id: string; user_id: string; status: string }>[];
  attempts: readonly AttemptRow[];
  messages: readonly Readonly<{ message_id: string; attempt_id: string; outcome: string }>[];
  tickets: readonly TicketRow[];
  refunds: readonly Readonly<{ attempt_id: string | null; ticket_id: string | null }>[];
  /** The trail about holds. */
  trail: readonly Readonly<{ action: string; hold_id: string }>[];
  /** What the audit chain's own verifier says. */
  trailProblem: string | null;
  /** The board as the tables say, and as the log replays to the same revision. */
  loaded: string;
  replayed: string;
  loadedDigest: string;
}>;

export type HoldRow = Readonly<{
  hold_id: string;
  user_id: string;
  cart_token: string;
  seat_id: string | null;
  zone_id: string | null;
  quantity: number;
  status: string;
  end_reason: string | null;
  created_ms: number;
  until_ms: number;
  ended_ms: number | null;
  /** Null: it was never in one. */
  checkout_id: string | null;
}>;

export type AttemptRow = Readonly<{
  attempt_id: string;
  checkout_id: string;
  status: string;
  deadline_ms: number;
}>;

export type TicketRow = Readonly<{
  ticket_id: string;
  hold_id: string;
  checkout_id: string;
  seat_id: string | null;
  status: string;
}>;

export type SeatRow = Readonly<{
  seat_id: string;
  zone_id: string;
  status: string;
  seat_hold_id: string | null;
  until_ms: number | null;
}>;

export type ZoneRow = Readonly<{
  zone_id: string;
  has_seats: boolean;
  capacity: number;
  held: number;
  sold: number;
  blocked: number;
}>;

export type LogEntry = Readonly<{ revision: number; hash: string; changes: readonly Change[] }>;

/** A board in the memory of a node. */
export type NodeBoard = Readonly<{ node: string; revision: number; digest: string }>;

/** What the log says about each hold. */
export type HoldStory = {
  made: number[];
  extended: Readonly<{ revision: number; until_ms: number }>[];
  ended: Readonly<{ revision: number; reason: string }>[];
};

/** How a hold ends that becomes a ticket. */
export const SOLD = 'checkout_completed';

export function storiesOf(log: readonly LogEntry[]): Map<string, HoldStory> {
  const stories = new Map<string, HoldStory>();
  const storyOf = (id: string): HoldStory => {
    const story = stories.get(id) ?? { made: [], extended: [], ended: [] };
    stories.set(id, story);
    return story;
  };
  for (const { revision, changes } of log) {
    for (const change of changes) tell(change, revision, storyOf);
  }
  return stories;
}

function tell(change: Change, revision: number, storyOf: (id: string) => HoldStory): void {
  if (change.kind === 'held') {
    for (const [id] of [...(change.seats ?? []), ...(change.places ?? [])]) {
      storyOf(id).made.push(revision);
    }
  }
  if (change.kind === 'extended') {
    for (const [id, until_ms] of change.holds) storyOf(id).extended.push({ revision, until_ms });
  }
  if (change.kind === 'sold') {
    for (const id of change.holds) storyOf(id).ended.push({ revision, reason: SOLD });
  }
  if (change.kind === 'ended') {
    for (const id of change.holds) storyOf(id).ended.push({ revision, reason: change.reason });
  }
}
