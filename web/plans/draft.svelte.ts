import {
  type LayoutConfig,
  type LayoutVersion,
  type ReadLayout,
  systemHost,
} from '@voelgoed/client/client';
import { desk, Work } from '#desk';
import { type Problem, problemsOf } from '#desk-parts';
import type { Mark } from './marks.ts';
import { PlanHall } from './plan-hall.svelte.ts';
import { type PlanPlace, type ReadPlan, readPlan, withoutIds } from './read-plan.ts';

/** What an import tells besides the plan. */
export type ImportReport = Readonly<{
  zones: number;
  rows: number;
  seats: number;
  changed: readonly { code: string; count: number; message: string }[];
  left_out: readonly { code: string; count: number; message: string }[];
}>;

export type FoundProblem = Problem & Readonly<{ place: PlanPlace | null }>;

/** Where it goes: a new layout of a venue, or the next version of a layout. */
export type DraftGoal = Readonly<{ venueId?: string; layoutId?: string }>;

/** The newest version when the page was opened: what is saved must not overwrite another one. */
export type Seen = Readonly<{ version: number; revision?: number | undefined }>;
type Spec = Readonly<Record<string, unknown>>;

/** A plan that is being made: what it looks like, what is wrong with it, and saving it. */
export class Draft {
  readonly goal: DraftGoal;
  readonly hall = new PlanHall();
  readonly saving = new Work<LayoutVersion>();
  /** Judged and good; null while there is nothing to save. */
  config = $state.raw<LayoutConfig | null>(null);
  problems = $state.raw<readonly FoundProblem[]>([]);
  report = $state.raw<ImportReport | null>(null);
  shown = $state.raw<PlanPlace | null>(null);
  /** What the generator drew it from, and the shapes that it drew. */
  spec = $state.raw<Spec | null>(null);
  shapes = $state.raw<Spec | null>(null);
  seen = $state.raw<Seen | null>(null);
  /** A draft that is there is archived, and this becomes the next version. */
  keepsDraft = $state(false);
  /** People that the venue takes; null: any number. */
  most = $state.raw<number | null>(null);
  /** Why it could not be judged at all. */
  failure = $state.raw<unknown>(null);
  isJudging = $state(false);
  /** What the problems were found in. */
  plan = $state.raw<ReadPlan | null>(null);
  name = $state('');
  description = $state('');
  #wishes = 0;
  #giveUp = new AbortController();
  #cancelWait = () => {};

  constructor(goal: DraftGoal) {
    this.goal = goal;
  }

  readonly size = $derived.by(() => {
    const zones = this.hall.drawing?.zones ?? [];
    const places = zones.reduce((sum, { capacity }) => sum + capacity, 0);
    return { seats: this.hall.drawing?.seats.length ?? 0, places };
  });
  readonly isTooLarge = $derived(this.most !== null && this.size.places > this.most);
  readonly marks: readonly Mark[] = $derived.by(() => {
    const marked = this.problems.flatMap(({ place }) => place?.ordinals.slice(0, 1) ?? []);
    return [...new Set(marked)].map((ordinal) => ({ ordinal, kind: 'problem' as const }));
  });

  /** Waits until nobody has typed for a moment. The last wish wins, whichever answer is last. */
  generateSoon(spec: Record<string, unknown>): void {
    this.#cancelWait();
    this.config = null;
    this.isJudging = true;
    this.#cancelWait = systemHost.after(TYPING_MS, () => void this.#generate(spec));
  }

  async #generate(spec: Record<string, unknown>): Promise<void> {
    await this.#judge(async (signal) => {
      const drawn = await desk.client.layouts.generate(spec, { signal });
      const shapes = drawn.spec ?? null;
      return { config: withoutIds(drawn.config), report: null, spec, shapes };
    });
  }

  /** A file of ours is drawn before it is judged, so that its problems have a place. */
  async judge(content: unknown, format: 'layout' | 'pretix'): Promise<void> {
    this.#cancelWait();
    const isOurs = format === 'layout';
    const plan = isOurs ? readPlan(content) : null;
    await this.#judge(async (signal) => {
      if (!isOurs) {
        const query = { format: 'pretix' } as const;
        const read = await desk.client.layouts.import(content as never, query, { signal });
        const { config, report } = read as ReadLayout;
        return { config: withoutIds(config), report };
      }
      await desk.client.layouts.validate(content as LayoutConfig, { signal });
      return { config: content as LayoutConfig, report: null };
    }, plan);
  }

  /** Nothing is looked at any more. */
  forget(): void {
    this.#cancelWait();
    this.#giveUp.abort();
    this.#wishes += 1;
    this.isJudging = false;
    this.#show(null, null, [], null);
    this.failure = null;
  }

  async #judge(
    ask: (signal: AbortSignal) => Promise<ReadLayout & { shapes?: Spec | null }>,
    plan: ReadPlan | null = null,
  ): Promise<void> {
    const wish = ++this.#wishes;
    this.#giveUp.abort();
    this.#giveUp = new AbortController();
    this.isJudging = true;
    this.failure = null;
    if (plan) this.#show(null, plan, [], null);
    try {
      const { config, report, spec, shapes } = await ask(this.#giveUp.signal);
      if (wish !== this.#wishes) return;
      this.#show(config, plan ?? readPlan(config), [], report as ImportReport | null);
      this.spec = spec ?? null;
      this.shapes = shapes ?? null;
    } catch (error) {
      if (wish !== this.#wishes) return;
      const problems = problemsOf(error);
      if (problems.length === 0) this.failure = error;
      this.config = null;
      this.plan = plan;
      this.problems = problems.map((one) => ({ ...one, place: plan?.placeOf(one.path) ?? null }));
    } finally {
      if (wish === this.#wishes) this.isJudging = false;
    }
  }

  #show(
    config: LayoutConfig | null,
    plan: ReadPlan | null,
    problems: readonly FoundProblem[],
    report: ImportReport | null,
  ): void {
    this.config = config;
    this.spec = null;
    this.shapes = null;
    this.problems = problems;
    this.report = report;
    this.shown = null;
    // The map is only made anew when there is another drawing.
    if (this.hall.drawing !== (plan?.drawing ?? null)) this.hall.show(plan?.drawing ?? null);
  }

  async save(): Promise<LayoutVersion | null> {
    const { config, spec, name, description, goal, seen, keepsDraft } = this;
    if (!config || this.isTooLarge) return null;
    const facts = {
      ...(goal.layoutId ? { layout_id: goal.layoutId } : { venue_id: goal.venueId ?? '' }),
      ...(seen ? { if_version: seen.version } : {}),
      ...(seen?.revision ? { if_revision: seen.revision } : {}),
      ...(keepsDraft ? { keep_draft: true } : {}),
      ...(name.trim() ? { name: name.trim() } : {}),
      ...(description.trim() ? { description: description.trim() } : {}),
    };
    const wish = JSON.stringify(facts) + this.#wishes;
    return this.saving.run(wish, ({ key }) =>
      desk.client.layouts.create({ ...facts, ...(spec ? { spec } : { config }) }, { key: key() }),
    );
  }
}

/** Longer than between two keys, shorter than anybody waits. */
const TYPING_MS = 350;
