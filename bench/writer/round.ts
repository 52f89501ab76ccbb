import type { StageAddress } from '#stage';

/** What a node process is asked to do; it crosses a process boundary as JSON. */
export type Round = Readonly<{
  kind: 'writer' | 'reference';
  organizationId: string;
  eventId: string;
  /** Seats by ordinal; each is wished for once. */
  from: number;
  to: number;
  buyers: number;
  /** How many users the buyers take turns as. */
  users: number;
  lasts_ms: number;
}>;

export type NodeMessage =
  | Readonly<{ kind: 'join'; address: StageAddress }>
  | Readonly<{ kind: 'prepare'; round: Round }>
  | Readonly<{ kind: 'go' }>;

export type RoundReport = Readonly<{
  /** Accepted while the round lasted. */
  holds: number;
  /** How long it lasted: less than it was to, when all seats were taken before. */
  seconds: number;
  latencies_ms: readonly number[];
  cpu_seconds: number;
  /** By name of the statement: how often, and how long all of them together. */
  statements: Readonly<Record<string, Readonly<{ count: number; total_ms: number }>>>;
  flushes: number;
  wishes: number;
}>;
