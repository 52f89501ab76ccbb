import type { Scenario } from '#rig';
import { CLIENT_SCENARIOS } from './client-scenarios.ts';
import { EXPIRY_SCENARIOS } from './expiry-scenarios.ts';
import { FAILOVER_SCENARIOS } from './failover-scenarios.ts';
import { NODE_SCENARIOS } from './node-scenarios.ts';
import { POSTGRES_SCENARIOS } from './postgres-scenarios.ts';
import { REDIS_SCENARIOS } from './redis-scenarios.ts';
import { SALE_SCENARIOS } from './sale-scenarios.ts';
import { STANDBY_SCENARIOS } from './standby-scenarios.ts';

/** Everything that the rig can suffer. */
export const SCENARIOS: readonly Scenario[] = [
  ...NODE_SCENARIOS,
  ...POSTGRES_SCENARIOS,
  ...FAILOVER_SCENARIOS,
  ...STANDBY_SCENARIOS,
  ...REDIS_SCENARIOS,
  ...CLIENT_SCENARIOS,
  ...EXPIRY_SCENARIOS,
  ...SALE_SCENARIOS,
];
