import { join } from 'node:path';
import { type Random, seededRandom, systemClock } from '@voelgoed/engine/kit';
import { scopeOf } from '@voelgoed/engine/scope';
import type { CrowdOrganization, Report } from '@voelgoed/faults/crowd';
import { machine_ms } from '@voelgoed/faults/hammer';
import {
  completeHistory,
  INVARIANTS,
  type Invariant,
  judgeRun,
  type RunHistory,
  readFinalState,
  readHistory,
  type Violation,
  violation,
  WallClock,
} from '@voelgoed/faults/history';
import { lookAtLogs, lookAtTiers, lookForExits, lookForLeaks } from './look.ts';
import { lookAtViews } from './look-at-views.ts';
import { AUTH_SECRET, PAYMENT_SECRET, type Rig } from './open-rig.ts';
import { Rates, recovery } from './rates.ts';
import { aRigStage } from './stages.ts';

type Settings = Readonly<Record<string, string>>;

/** How often it is looked whether the machine's time of day was set. */
const LOOK_MS = 50;

/** What a scenario has in its hands. */
export type Act = Readonly<{
  rig: Rig;
  stage: readonly CrowdOrganization[];
  /** How long the fault lasts. */
  seconds: number;
  seed: number;
  random: Random;
  rates: Rates;
  say(line: string): void;
  pause(seconds: number): Promise<void>;
  /** Something is not as it should be. */
  found(invariant: Invariant, message: string): void;
  /** What was acknowledged in this window is known to be lost. */
  forget(from_ms: number, to_ms: number): void;
}>;

export type Scenario = Readonly<{
  name: string;
  sentence: string;
  /** What is different about each node. */
  nodes?: readonly Settings[];
  rows?: number;
  /** What it needs and this machine does not have; null: nothing. */
  lacks?(): string | null;
  /** Postgres is away while it lasts, so nobody can know what is over. */
  withoutPostgres?: boolean;
  /** Before anybody comes. */
  prepare?(act: Act): Promise<void>;
  /** Does the damage and heals it. */
  fault(act: Act): Promise<void>;
  /** When everybody rests. */
  afterwards?(act: Act): Promise<void>;
  /** Whatever happened. */
  cleanup?(act: Act): Promise<void>;
  /** What cannot be judged, and why. */
  unjudged?: Partial<Record<Invariant, string>>;
}>;

export type PlayOptions = Readonly<{
  seconds: number;
  seed: number;
  viewers: number;
  workers: number;
  /** How long the load runs before the fault. */
  before_s: number;
  /** Times of healing are so many times as long: 1, or more where the machine is not ours alone. */
  factor: number;
  historyFolder: string;
  say(line: string): void;
}>;

export type Verdict = Readonly<{ verdict: 'held' | 'violated' | 'not judged'; why: string | null }>;

export type Outcome = Readonly<{
  name: string;
  seed: number;
  lasted_s: number;
  history: string;
  counts: Report['counts'];
  answers: Report['answers'];
  settled: number;
  before_per_s: number;
  recovered_ms: number | null;
  verdicts: Readonly<Record<Invariant, Verdict>>;
  violations: readonly Violation[];
}>;

/** One scenario from an empty stage to the verdict. */
export async function play(rig: Rig, scenario: Scenario, options: PlayOptions): Promise<Outcome> {
  const started = machine_ms();
  const { seed, say } = options;
  await Promise.all(rig.nodes.map((node, index) => node.ensure(scenario.nodes?.[index] ?? {})));
  const logs = rig.nodes.map((node) => node.logs().length);
  const stage = await aRigStage(rig.database, scenario.rows);
  const history = join(options.historyFolder, `${scenario.name}-${seed}.ndjson`);
  await rig.crowd.tell({ kind: 'open', stage: crowdStage(rig, stage, history, seed) });
  const seen: Violation[] = [];
  const forgotten: RunHistory['forgotten'] = [];
  const act: Act = {
    rig,
    stage,
    seconds: options.seconds,
    seed,
    random: seededRandom(seed),
    rates: new Rates(rig.crowd),
    say,
    pause: (seconds) => systemClock.sleep(seconds * 1_000),
    found: (invariant, message) => void seen.push(violation(invariant, message)),
    forget: (from_ms, to_ms) => void forgotten.push({ from_ms, to_ms }),
  };
  const wall = new WallClock(() => {
    const at_ms = machine_ms();
    return { at_ms, offset_ms: systemClock.now() - at_ms };
  });
  const looking = setInterval(() => wall.look(), LOOK_MS);
  try {
    const performance = await performed(act, scenario, options);
    seen.push(...lookForExits(rig));
    seen.push(...(await lookAround(act, options)), ...lookAtLogs(rig, logs));
    const report = await judgedBy(act, seen);
    const events = await statesOf(rig, stage);
    const wall_offset_ms = systemClock.now() - machine_ms();
    const { fault, ...measured } = performance;
    const unjudged = { ...scenario.unjudged };
    const named = { scenario: scenario.name, seed, wall_offset_ms, wall_steps: wall.steps };
    completeHistory(history, { ...named, events, forgotten, seen, unjudged, faults: [fault] });
    const violations = judgeRun(readHistory(history)).filter(
      ({ invariant }) => unjudged[invariant] === undefined,
    );
    const { counts, answers } = report;
    const lasted_s = (machine_ms() - started) / 1_000;
    const verdicts = verdictsOf(violations, unjudged);
    const told = { ...measured, counts, answers, verdicts, violations };
    return { name: scenario.name, seed, lasted_s, history, ...told };
  } finally {
    clearInterval(looking);
    await scenario.cleanup?.(act);
  }
}

/** What the crowd has read, and then it leaves. */
async function judgedBy({ rig }: Act, seen: Violation[]): Promise<Report> {
  const report = await rig.crowd.tell({ kind: 'report' });
  seen.push(...report.canaries.problems.map((problem) => violation('I12', problem)));
  if (report.canaries.own === 0) seen.push(violation('I12', 'nobody saw any name: no canary'));
  await rig.crowd.tell({ kind: 'close' });
  return report;
}

async function performed(act: Act, scenario: Scenario, options: PlayOptions) {
  const { rig, rates, say } = act;
  const { viewers, workers, before_s, factor } = options;
  await scenario.prepare?.(act);
  await rig.crowd.tell({ kind: 'view', count: viewers });
  await rig.crowd.tell({ kind: 'load', load: { workers, pause_ms: rig.pause_ms } });
  // The first wishes open connections and load boards: they are not what is compared with.
  await act.pause(Math.min(1, before_s / 2));
  const before = await rates.measured(() => act.pause(before_s));
  const before_per_s = before.per_s;
  const from_ms = machine_ms();
  await rig.crowd.tell({ kind: 'mark', name: 'fault' });
  await scenario.fault(act);
  await rig.crowd.tell({ kind: 'mark', name: 'healed' });
  const to_ms = machine_ms();
  const recovered_ms = await recovery(rates, before, factor);
  if (recovered_ms === null) {
    act.found('I14', `95 % of ${before_per_s.toFixed(0)} answers a second were not reached again`);
  }
  await rig.crowd.tell({ kind: 'rest' });
  const settled = await rig.crowd.tell({ kind: 'settle' });
  say(
    `before ${before_per_s.toFixed(0)} answers a second ` +
      `(${before.per_cpu_s.toFixed(0)} per second of the processor); ` +
      `again ${inSeconds(recovered_ms)}; ` +
      `${settled} were asked again with their keys`,
  );
  await scenario.afterwards?.(act);
  const fault = { from_ms, to_ms, postgres: scenario.withoutPostgres ?? false };
  return { fault, before_per_s, recovered_ms, settled };
}

function inSeconds(recovered_ms: number | null): string {
  if (recovered_ms === null) return 'not in time';
  return `${(recovered_ms / 1_000).toFixed(1)} s after healing`;
}

async function lookAround(
  { rig, stage }: Act,
  { factor }: PlayOptions,
): Promise<readonly Violation[]> {
  const tiers = await lookAtTiers(rig, stage, { factor });
  const views = await lookAtViews(rig, stage, { factor });
  await rig.crowd.tell({ kind: 'unview' });
  return [...tiers, ...views, ...(await lookForLeaks(rig, { factor }))];
}

async function statesOf(
  rig: Rig,
  stage: readonly CrowdOrganization[],
): Promise<RunHistory['events']> {
  const events: RunHistory['events'] = new Map();
  for (const { organizationId, events: own } of stage) {
    for (const { eventId } of own) {
      const event = { scope: scopeOf(organizationId), eventId };
      const state = await readFinalState(rig.database.postgres, event);
      events.set(eventId, { state, boards: [] });
    }
  }
  return events;
}

function crowdStage(
  rig: Rig,
  organizations: readonly CrowdOrganization[],
  historyFile: string,
  seed: number,
) {
  return {
    organizations,
    addresses: rig.nodes.map(({ links }) => `http://${links.http.address}`),
    authSecret: AUTH_SECRET,
    paymentSecret: PAYMENT_SECRET,
    historyFile,
    seed,
    slow_ms: rig.slow_ms,
  };
}

function verdictsOf(
  violations: readonly Violation[],
  unjudged: Partial<Record<Invariant, string>>,
): Outcome['verdicts'] {
  const names = Object.keys(INVARIANTS) as Invariant[];
  const verdicts = names.map((invariant): [Invariant, Verdict] => {
    const why = unjudged[invariant] ?? null;
    if (why !== null) return [invariant, { verdict: 'not judged', why }];
    const first = violations.find((one) => one.invariant === invariant);
    return [
      invariant,
      first ? { verdict: 'violated', why: first.message } : { verdict: 'held', why: null },
    ];
  });
  return Object.fromEntries(verdicts) as Outcome['verdicts'];
}
