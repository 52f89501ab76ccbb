import type { Scenario } from '#rig';
import { ANSWER_SCENARIOS } from './answer-scenarios.ts';
import { CLIENT_SCENARIOS } from './client-scenarios.ts';
import { CLOCK_SCENARIOS } from './clock-scenarios.ts';
import { EXPIRY_SCENARIOS } from './expiry-scenarios.ts';
import { FAILOVER_SCENARIOS } from './failover-scenarios.ts';
import { NODE_SCENARIOS } from './node-scenarios.ts';
import { POSTGRES_SCENARIOS } from './postgres-scenarios.ts';
import { REDIS_SCENARIOS } from './redis-scenarios.ts';
import { SALE_SCENARIOS } from './sale-scenarios.ts';
import { STANDBY_SCENARIOS } from './standby-scenarios.ts';
import { UNWRITABLE_SCENARIOS } from './unwritable-scenarios.ts';

/** Everything that the rig can suffer. */
export const SCENARIOS: readonly Scenario[] = [
  ...NODE_SCENARIOS,
  ...CLOCK_SCENARIOS,
  ...POSTGRES_SCENARIOS,
  ...FAILOVER_SCENARIOS,
  ...UNWRITABLE_SCENARIOS,
  ...STANDBY_SCENARIOS,
  ...REDIS_SCENARIOS,
  ...CLIENT_SCENARIOS,
  ...ANSWER_SCENARIOS,
  ...EXPIRY_SCENARIOS,
  ...SALE_SCENARIOS,
];
