import { scopeOf } from '@voelgoed/engine/scope';
import { expireNow } from '@voelgoed/engine/workflows';
import { anEngine } from '#builders';
import { judged, pause, type Scenario, withSet } from './set.ts';

/** Holds of the rig end after a second. */
const HOLD_S = 1;

/** No node sweeps: holds pile up, and every seat can be taken all the same. */
export const reaperStopped: Scenario = (setting) =>
  withSet(setting, async ({ run, stage, postgres, asSuperuser }) => {
    const { say, seconds } = setting;
    await Promise.all(['one', 'two', 'three'].map((name) => run.start(name, { sweeps: false })));
    await run.load();
    await run.goesOn(100);
    await run.rest();
    const due = async () => Number((await asSuperuser(DUE, [stage.eventId]))[0]?.due);
    await pause(Math.max(HOLD_S, seconds));
    say(`nobody sweeps for ${seconds} s: ${await due()} holds are over and still there`);
    const isFree = await run.everySeatIsFree(HOLD_S * 1_000 + 1_000);
    say(`every seat was taken again by a buyer: ${isFree ? 'yes' : 'no'}`);
    await pause(HOLD_S + 1);
    const left = await due();
    const engine = anEngine(postgres);
    const scope = scopeOf(stage.organizationId);
    const still = await expireNow(engine, scope, stage.eventId);
    await engine.registry.stop();
    say(`expire-now: ${left} holds were over, ${still} are left`);
    const problems = await judged(run, say);
    if (!isFree) problems.push('a seat could not be taken after its hold was over');
    if (still > 0) problems.push(`${still} holds cannot be ended`);
    return problems;
  });

const DUE = `select count(*)::int as due from seat_holds
  where event_id = $1 and status = 'active' and held_until < now()`;
