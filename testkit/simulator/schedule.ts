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

export type FaultKind = RoadTrouble | (typeof OTHER_FAULTS)[number];
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
}>;

export type Wanted = Readonly<{
  /** How many commands. */
  size?: number;
  /** Only these go wrong. */
  among?: readonly FaultKind[];
}>;

const COMMANDS = 200;
const NODES = 3;
/** Longer faults than this would only make waiting longer. */
const LONGEST_MS = 1_500;

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
  return {
    seed,
    mode,
    commands,
    faults,
    nodes: NODES,
    span_ms,
    hold_seconds: dice.pick([0.2, 0.5, 1]),
    rush: dice.pick([0.3, 0.6, 0.9]),
    skew_ms: dice.pick([0, 1_000, 300_000]),
    reaperIsOff: dice.chance(0.15),
    copies: dice.chance(0.1),
  };
}

/** It may lose commits: then some promises are weaker. */
export function canLose({ faults }: Schedule): boolean {
  return faults.some(({ kind }) => kind === 'database fails over and loses commits');
}
