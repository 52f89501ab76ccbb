/**
 * The rig: three real nodes, Postgres and Redis as processes that can be killed, every link by way
 * of a proxy, and a crowd that loads them and writes history. It knows how to build and heal all
 * of that, how to play one scenario on it and how to judge every invariant afterwards; what goes
 * wrong is the scenarios'. Only they and their tests call it.
 */

export { ownerToken } from './look.ts';
export { openRig, PAYMENT_SECRET, type Rig, SHORT } from './open-rig.ts';
export { type Act, type Outcome, play, type Scenario, type Verdict } from './play.ts';
export { aHall } from './stages.ts';
