import { Dice, type GuardsOff } from '#stores';
import { answerProblems, isDoubt } from './answers-verdict.ts';
import { clockProblems } from './clock-verdict.ts';
import { durabilityProblems } from './durability-verdict.ts';
import { logProblems, ownersProblems } from './log-verdict.ts';
import { paymentProblems } from './payments-verdict.ts';
import type { Schedule } from './schedule.ts';
import { boardProblems, tierProblems } from './tier-verdict.ts';
import type { Op } from './wishes.ts';
import { World } from './world.ts';

export type RunSettings = Readonly<{ off?: GuardsOff; trace?: boolean }>;

/** So long after the last fault every board and Redis are what the store is. */
const CONVERGES_MS = 5_000;
/** Where nothing went wrong only what is under way may be missing: no commit is, so long after. */
const UNDER_WAY_MS = 150;
/** Long enough for every hold and every payment to end by itself. */
const ENDS_MS = 40_000;
const LOOK_MS = 100;

/** Runs a schedule and says what was wrong; nothing: every promise was kept. */
export async function runSchedule(
  schedule: Schedule,
  settings: RunSettings = {},
): Promise<{ problems: string[]; world: World }> {
  const world = new World(schedule, settings);
  world.begin();
  try {
    await world.simulation.run(() => world.isAnswered);
    if (schedule.mode === 'liveness') await comeRight(world);
    return { problems: judge(world), world };
  } catch (error) {
    const problem = error instanceof Error ? `${error.message}` : String(error);
    return { problems: [problem, ...judge(world)], world };
  }
}

function judge(world: World): string[] {
  const { schedule, database } = world;
  const isOver = schedule.mode === 'liveness' && !database.lost.some(({ excused }) => excused);
  return [
    ...database.guards.map((guard) => `a guard spoke: ${guard}`),
    ...ownersProblems(world),
    ...logProblems(world),
    ...answerProblems(world),
    ...clockProblems(world),
    ...(isOver ? paymentProblems(world) : []),
    ...durabilityProblems(world),
    ...world.problems,
  ];
}

/** Faults have stopped: now everything must come right, and within bounds. */
async function comeRight(world: World): Promise<void> {
  const { simulation } = world;
  world.heal();
  const converged = () => [...boardProblems(world), ...tierProblems(world)];
  const most_ms = world.schedule.faults.length === 0 ? UNDER_WAY_MS : CONVERGES_MS;
  await settle(world, calmSince(world), most_ms, converged);
  await clearUp(world);
  await settle(
    world,
    () => 0,
    simulation.time_ms + ENDS_MS,
    () => endProblems(world),
  );
  await settle(world, calmSince(world), CONVERGES_MS, converged);
}

/**
 * What somebody else's hand has put into Redis is found by comparing all of it, which waits for a
 * moment without commits; everything else is put right while others work.
 */
function calmSince(world: World): () => number {
  const since_ms = world.simulation.time_ms;
  const isSpoilt = world.schedule.faults.some(({ kind }) => kind === 'Redis has garbage');
  return () => (isSpoilt ? Math.max(since_ms, lastCommit_ms(world)) : since_ms);
}

function lastCommit_ms({ database }: World): number {
  return database.commits.at(-1)?.at_ms ?? 0;
}

function endProblems({ provider, database }: World): string[] {
  if (provider.unheard > 0 && !database.lost.some(({ excused }) => excused))
    return ['the provider is not heard'];
  const live = database.event.live.size;
  const places = database.event.zones.some(({ held }) => held > 0);
  return live > 0 || places ? ['holds are left long after their time'] : [];
}

/**
 * Until there are no problems, or the time is over. A commit of the last milliseconds (an expiry,
 * say) is still on its way to the other nodes and to Redis: the deadline waits for it.
 */
async function settle(
  world: World,
  since_ms: () => number,
  most_ms: number,
  look: () => string[],
): Promise<void> {
  const { simulation } = world;
  let next_ms = simulation.time_ms;
  let found: string[] = [];
  const deadline_ms = () => Math.max(since_ms() + most_ms, lastCommit_ms(world) + UNDER_WAY_MS);
  await simulation.run(() => {
    if (simulation.time_ms < next_ms) return false;
    next_ms = simulation.time_ms + LOOK_MS;
    found = look();
    return found.length === 0 || simulation.time_ms >= deadline_ms();
  });
  world.problems.push(...found.map((problem) => `after all faults were over: ${problem}`));
}

/** Whoever was left in doubt asks again until there is an answer. */
async function clearUp(world: World): Promise<void> {
  const { simulation } = world;
  const inDoubt = world.ops.filter((op) => op.keyed && isUnsure(op));
  let open = inDoubt.length;
  for (const op of inDoubt) {
    const dice = new Dice(world.schedule.seed, `again ${op.index}`);
    const ask = (tries: number) => {
      world.ask(op, dice, ({ answer }) => {
        if (typeof answer === 'string' && tries > 1) ask(tries - 1);
        else open--;
      });
    };
    ask(5);
  }
  const until_ms = simulation.time_ms + ENDS_MS;
  await simulation.run(() => open === 0 || simulation.time_ms > until_ms);
}

function isUnsure({ attempts }: Op): boolean {
  return attempts.some(({ answer }) => isDoubt(answer));
}
