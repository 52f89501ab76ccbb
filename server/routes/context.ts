import type { headSigner } from '@voelgoed/engine/audit';
import type { Post } from '@voelgoed/engine/webhooks';
import type { Engine } from '@voelgoed/engine/workflows';
import type { Limits } from '#limits';
import type { Metrics } from '#metrics';
import type { StreamHub } from '#stream';

export type Payments = Readonly<{
  webhookSecret: string | null;
  /** Those that buyers may name; the first is that of attempts that name none. */
  providers: readonly [string, ...string[]];
  /** Null: the platform shows its own page. `base` is where this server was called. */
  payUrl(payment: PaymentToMake, base: string): string | null;
}>;

export type PaymentToMake = Readonly<{
  attempt_id: string;
  checkout_id: string;
  provider: string;
  amount_cents: number;
  currency: string;
  deadline_ms: number;
}>;

/** What routes may reach. */
export type RouteContext = Readonly<{
  engine: Engine;
  metrics: Metrics;
  limits: Limits;
  streams: StreamHub;
  demo: boolean;
  authSecret: string;
  /** Payments: what signs their messages (null: none is accepted) and where buyers pay. */
  payments: Payments;
  signer: ReturnType<typeof headSigner>;
  /** Addresses in our own network may be registered: development and tests. */
  allowInternal: boolean;
  /** Sends to the endpoint of a webhook, for trying it out. */
  post: Post;
  /** `ok`: Postgres accepts writes; else why it does not, in plain words. */
  databaseState(): Promise<string>;
  /** When the sweep last ran, on the monotonic clock. */
  sweptAt_ms(): number | null;
  /** False as soon as the node is asked to stop: balancers then send nothing new. */
  isServing(): boolean;
}>;
