import type { headSigner } from '@voelgoed/engine/audit';
import type { Engine } from '@voelgoed/engine/workflows';
import type { Limits } from '#limits';
import type { Metrics } from '#metrics';

/** What routes may reach. */
export type RouteContext = Readonly<{
  engine: Engine;
  metrics: Metrics;
  limits: Limits;
  demo: boolean;
  authSecret: string;
  signer: ReturnType<typeof headSigner>;
  /** Addresses in our own network may be registered: development and tests. */
  allowInternal: boolean;
  /** When the sweep last ran, on the monotonic clock. */
  sweptAt_ms(): number | null;
  /** False as soon as the node is asked to stop: balancers then send nothing new. */
  isServing(): boolean;
}>;
