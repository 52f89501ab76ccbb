import { Dice, ROAD_TROUBLES, type RoadTrouble } from '#stores';

export type Mode = 'safety' | 'liveness';

/** A wish of somebody at some moment; what exactly, its own stream of chance says. */
export type PlannedCommand = Readonly<{ index: number; at_ms: number }>;

const OTHER_FAULTS = [
  'somebody else has the lock',
  'database restarts',
  'database fails over and loses commits',
  'database clock is set',
  'Redis is down',
  'Redis is flushed',
  'Redis is cut off',
  'Redis is slow',
  'Redis is a stale replica',
  'Redis is read-only',
  'Redis has garbage',
  'messages are lost',
  'node is killed',
  'node is stopped',
  'node is stopped between lock and write',
] as const;

/** Only where there is a synchronous standby. */
export const STANDBY_FAULTS = [
  'standby is cut off',
  /** As `pg_terminate_backend` does it to a commit that waits for the standby. */
  'waiting commit is terminated',
  /** As `pg_cancel_backend` does it: the client is answered COMMIT, with a warning. */
  'waiting commit is cancelled',
  'standby takes over',
] as const;
type StandbyFault = (typeof STANDBY_FAULTS)[number];

/**
 * Mixed with others in some seeds, but not with what moves event time by right, which the judge of
 * event time would have to forgive: nodes that are killed see no step, and less than 5 s is none.
 */
export const CLOCK_STEPS = 'database clock is set by hours';

export type FaultKind =
  | RoadTrouble
  | (typeof OTHER_FAULTS)[number]
  | StandbyFault
  | typeof CLOCK_STEPS;
export const FAULT_KINDS: readonly FaultKind[] = [...ROAD_TROUBLES, ...OTHER_FAULTS];

export type PlannedFault = Readonly<{
  index: number;
  at_ms: number;
  kind: FaultKind;
  node: number;
  duration_ms: number;
}>;

/** Everything about a run that is fixed before it begins; the rest is chance and consequence. */
export type Schedule = Readonly<{
  seed: number;
  mode: Mode;
  commands: readonly PlannedCommand[];
  faults: readonly PlannedFault[];
  nodes: number;
  /** Time in which all commands are given. */
  span_ms: number;
  hold_seconds: number;
  /** How often somebody wants one of the five best seats. */
  rush: number;
  /** Clocks of nodes are off by up to this. */
  skew_ms: number;
  /** Nobody sweeps: expiry must not need it. */
  reaperIsOff: boolean;
  /** Rows travel as text. */
  copies: boolean;
  /** A commit is answered once the synchronous standby has it. */
  standby: boolean;
}>;

export type Wanted = Readonly<{
  /** How many commands. */
  size?: number;
  /** Only these go wrong. */
  among?: readonly FaultKind[];
  /** With or without a synchronous standby; absent: as the seed says. */
  standby?: boolean;
  /** Whether the clock is set by hours besides; absent: as the seed says. */
  steps?: boolean;
}>;

const COMMANDS = 200;
const NODES = 3;
/** Longer faults than this would only make waiting longer. */
const LONGEST_MS = 1_500;
/** As long as it takes that nobody hears of a commit and asks again with its key. */
const CUT_MS = 3_000;

/**
 * The schedule of a seed. Each has its own mixture: a seed in which a few things go wrong often
 * finds more than many in which everything goes wrong sometimes.
 */
export function scheduleOf(seed: number, mode: Mode, wanted: Wanted = {}): Schedule {
  const { size = COMMANDS, among = FAULT_KINDS } = wanted;
  const dice = new Dice(seed, 'schedule');
  const span_ms = dice.pick([300, 800, 2_000, 4_000]);
  // People come one by one, or all at once when something opens.
  const rushes = Array.from({ length: 1 + dice.upTo(20) }, () => dice.between(20, span_ms));
  const bursts = dice.pick([0, 0.5, 0.95]);
  const arrival = () =>
    dice.chance(bursts) ? dice.pick(rushes) + dice.between(0, 4) : dice.between(20, span_ms);
  const commands = Array.from({ length: size }, arrival)
    .sort((one, other) => one - other)
    .map((at_ms, index) => ({ index, at_ms }));
  const kinds = among === FAULT_KINDS ? among.filter(() => dice.chance(0.25)) : among;
  const count = dice.chance(0.1) ? 0 : Math.ceil(dice.between(0, 8));
  const faults = Array.from({ length: kinds.length === 0 ? 0 : count }, (_, index) => ({
    index,
    at_ms: dice.between(10, span_ms),
    kind: dice.pick(kinds),
    node: dice.upTo(NODES - 1),
    duration_ms: Math.ceil(dice.between(20, dice.chance(0.3) ? LONGEST_MS : 300)),
  })).sort((one, other) => one.at_ms - other.at_ms);
  // A stream of its own: what else happens in a seed stays the same.
  const other = new Dice(seed, 'synchronous standby');
  const standby = wanted.standby ?? (among === FAULT_KINDS && other.chance(0.25));
  const clock = new Dice(seed, 'clock steps');
  const isMixed = among === FAULT_KINDS && wanted.standby === undefined;
  const steps = wanted.steps ?? (isMixed && clock.chance(0.2));
  const left = faults.filter(({ kind }) => {
    return !(standby && kind === LOSES) && !(steps && MOVES_TIME.includes(kind));
  });
  const kept = steps ? withSteps(left, span_ms, clock) : left;
  return {
    seed,
    mode,
    commands,
    faults: standby ? withStandby(kept, span_ms, other) : kept,
    standby,
    nodes: NODES,
    span_ms,
    hold_seconds: dice.pick([0.2, 0.5, 1]),
    rush: dice.pick([0.3, 0.6, 0.9]),
    skew_ms: dice.pick([0, 1_000, 300_000]),
    reaperIsOff: dice.chance(0.15),
    copies: dice.chance(0.1),
  };
}

/** The clock is set a few times, while whatever else goes wrong does. */
function withSteps(
  faults: readonly PlannedFault[],
  span_ms: number,
  dice: Dice,
): readonly PlannedFault[] {
  const planned = Array.from({ length: 1 + dice.upTo(3) }, (_, index): PlannedFault => {
    const at_ms = dice.between(10, span_ms);
    return { index: faults.length + index, at_ms, kind: CLOCK_STEPS, node: 0, duration_ms: 0 };
  });
  return [...faults, ...planned].sort((one, other) => one.at_ms - other.at_ms);
}

/**
 * The standby hears nothing for a while, in which commits stop waiting for it one way or another;
 * then it takes over, or is reached again.
 */
function withStandby(
  faults: readonly PlannedFault[],
  span_ms: number,
  dice: Dice,
): readonly PlannedFault[] {
  const from_ms = dice.between(10, span_ms);
  const duration_ms = Math.ceil(dice.between(300, CUT_MS));
  const within_ms = () => from_ms + dice.between(5, duration_ms);
  const stops = ['waiting commit is terminated', 'waiting commit is cancelled'] as const;
  const wanted: [kind: FaultKind, at_ms: number][] = [['standby is cut off', from_ms]];
  for (let left = 1 + dice.upTo(3); left > 0; left--) {
    wanted.push([dice.pick([...stops, 'database restarts']), within_ms()]);
  }
  if (dice.chance(0.7)) wanted.push(['standby takes over', from_ms + duration_ms - 1]);
  const planned = wanted.map(([kind, at_ms], index) => {
    return { index: faults.length + index, at_ms, kind, node: 0, duration_ms };
  });
  return [...faults, ...planned].sort((one, other) => one.at_ms - other.at_ms);
}

const LOSES = 'database fails over and loses commits';
/** What moves event time by right: nobody can tell any more what it was, or the step is small. */
const MOVES_TIME: readonly FaultKind[] = [LOSES, 'node is killed', 'database clock is set'];

/** It may lose commits: then some promises are weaker. */
export function canLose({ faults }: Schedule): boolean {
  return faults.some(({ kind }) => kind === LOSES);
}
