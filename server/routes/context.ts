import type { Postgres } from '@voelgoed/engine/postgres';
import type { Redis } from '@voelgoed/engine/redis';
import type { Metrics } from '#metrics';

/** What routes may reach. */
export type RouteContext = Readonly<{
  postgres: Postgres;
  redis: Redis | null;
  metrics: Metrics;
  demo: boolean;
  /** False as soon as the node is asked to stop: balancers then send nothing new. */
  isServing(): boolean;
}>;
