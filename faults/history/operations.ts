/** What was wished for; the same wish may be sent several times. */
export type Asked =
  | Readonly<{ op: 'hold'; items: readonly AskedItem[] }>
  | Readonly<{ op: 'extend'; hold_id: string }>
  | Readonly<{ op: 'release'; hold_ids: readonly string[] }>
  | Readonly<{ op: 'checkout'; hold_ids: readonly string[] }>
  | Readonly<{ op: 'pay'; checkout_id: string }>
  /** What a payment provider says; the holds are those that the buyer wanted to pay. */
  | Readonly<{
      op: 'message';
      message_id: string;
      type: 'payment.succeeded' | 'payment.failed' | 'payment.refunded';
      attempt_id: string;
      amount_cents: number;
      hold_ids: readonly string[];
    }>
  | Readonly<{ op: 'tickets'; checkout_id: string }>
  /** By staff: at the door, a ticket ended, holds of others ended. */
  | Readonly<{ op: 'sell'; hold_ids: readonly string[] }>
  | Readonly<{ op: 'void'; ticket_id: string }>
  | Readonly<{ op: 'override'; hold_ids: readonly string[] }>
  | Readonly<{ op: 'read'; seat_id: string }>;

type AskedItem = Readonly<{ seat_id: string }> | Readonly<{ zone_id: string; quantity: number }>;

/** A hold as an answer named it. */
export type ReportedHold = Readonly<{
  hold_id: string;
  seat_id: string | null;
  zone_id: string | null;
  quantity: number;
  /** By the clock of the database. */
  until_ms: number;
}>;

/** What else an answer said, where it said so. */
export type Told = Readonly<{
  checkout_id?: string;
  attempt_id?: string;
  amount_cents?: number;
  /** What a payment message led to. */
  outcome?: string;
  /** How a seat is shown. */
  status?: string;
  tickets?: readonly Readonly<{ ticket_id: string; seat_id: string | null; status: string }>[];
}>;

type Invoked = Readonly<{
  node: string;
  /** Of several in one file. */
  event?: string;
  /** Within its node. */
  number: number;
  /** The same for every copy of a wish; a hold carries it as its cart. */
  wish: string;
  asked: Asked;
  user: string;
  key: string | null;
  /** The machine's monotonic clock, which all processes share. */
  invoked_ms: number;
}>;

type Returned = Readonly<{
  node: string;
  number: number;
  returned_ms: number;
  /** `failed` promises that nothing was done; `unknown` promises nothing. */
  outcome: 'done' | 'refused' | 'failed' | 'unknown';
  code: string | null;
  replayed: boolean;
  revision: number | null;
  /** Held or extended; for a release those that it ended. */
  holds: readonly ReportedHold[];
  told?: Told;
}>;

export type Operation = Invoked & Omit<Returned, 'returned_ms'> & { returned_ms: number | null };

/** One line of a history file: each is written before the next thing happens. */
export type HistoryLine =
  | (Readonly<{ kind: 'invoked' }> & Invoked)
  | (Readonly<{ kind: 'returned' }> & Returned)
  /** Both in one, by whoever is never killed. */
  | (Readonly<{ kind: 'operation' }> & Operation)
  /** Something that happened to the node itself. */
  | Readonly<{ kind: 'mark'; name: string; at_ms: number }>;

/** Whoever was killed never said how it ended. */
const NEVER = {
  returned_ms: null,
  outcome: 'unknown',
  code: null,
  replayed: false,
  revision: null,
  holds: [],
} as const;

type Mark = HistoryLine & { kind: 'mark' };

/** The operations in a history file, in the order in which they were sent, read as it grows. */
export class HistoryReader {
  readonly #operations = new Map<number, Operation>();
  readonly marks: Mark[] = [];
  /** A process that was killed may have left half a line at the end. */
  #rest = '';

  get operations(): Operation[] {
    return [...this.#operations.values()];
  }

  add(text: string): this {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#read(JSON.parse(line) as HistoryLine);
    return this;
  }

  #read(line: HistoryLine): void {
    if (line.kind === 'mark') this.marks.push(line);
    else if (line.kind === 'operation') this.#operations.set(line.number, line);
    else if (line.kind === 'invoked') {
      const { kind: _, ...invoked } = line;
      this.#operations.set(line.number, { ...invoked, ...NEVER });
    } else {
      const { kind: _, ...returned } = line;
      const invoked = this.#operations.get(line.number);
      if (invoked) this.#operations.set(line.number, { ...invoked, ...returned });
    }
  }
}

/** All copies of a wish, in the order in which they were sent. */
export type WishHistory = Readonly<{
  wish: string;
  asked: Asked;
  user: string;
  key: string | null;
  copies: readonly Operation[];
}>;

export function wishesOf(operations: readonly Operation[]): Map<string, WishHistory> {
  const wishes = new Map<string, WishHistory & { copies: Operation[] }>();
  const sent = [...operations].sort((one, other) => one.invoked_ms - other.invoked_ms);
  for (const operation of sent) {
    const { wish, asked, user, key } = operation;
    const known = wishes.get(wish);
    if (known) known.copies.push(operation);
    else wishes.set(wish, { wish, asked, user, key, copies: [operation] });
  }
  return wishes;
}

export function isDone({ outcome }: Operation): boolean {
  return outcome === 'done';
}

/** Holds that a wish names, to make something of them or to end them. */
export function namedHolds(asked: Asked): readonly string[] {
  if (asked.op === 'extend') return [asked.hold_id];
  return 'hold_ids' in asked ? asked.hold_ids : [];
}

/** It may have had an effect: it said so, or nobody knows. */
export function mayHaveWorked({ outcome }: Operation): boolean {
  return outcome === 'done' || outcome === 'unknown';
}
