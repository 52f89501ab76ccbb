import type { LayoutConfig, LayoutVersion } from '@voelgoed/client/client';
import { desk, Resource, Work } from '#desk';
import { type DiffPlan, diffPlan, type LayoutDiff } from './diff-plan.ts';
import { PlanHall } from './plan-hall.svelte.ts';
import { type PlanPlace, readPlan } from './read-plan.ts';

type Step = 'activate' | 'archive';

/** One layout with its versions: which is looked at, which it is compared with, what is done. */
export class LayoutDesk {
  readonly layoutId: string;
  readonly layout: Resource<Awaited<ReturnType<typeof desk.client.layouts.get>>>;
  readonly hall = new PlanHall();
  readonly stepping = new Work<LayoutVersion>();
  /** The version on the map, and the one it is compared with; 0: none. */
  version = $state(0);
  against = $state(0);
  difference = $state.raw<(DiffPlan & { diff: LayoutDiff }) | null>(null);
  shown = $state.raw<PlanPlace | null>(null);
  failure = $state.raw<unknown>(null);
  isLoading = $state(false);
  readonly #configs = new Map<number, Promise<LayoutConfig>>();
  #wishes = 0;

  constructor(layoutId: string) {
    this.layoutId = layoutId;
    this.layout = new Resource(() => desk.client.layouts.get(layoutId));
  }

  readonly versions = $derived.by(() => this.layout.value?.versions ?? []);
  readonly current = $derived.by(() => this.versions.find((one) => one.version === this.version));

  /** The later and the earlier one of two that are compared: what changed is told forwards. */
  readonly newer = $derived(Math.max(this.version, this.against));
  readonly older = $derived(Math.min(this.version, this.against));

  open = async (wanted = 0): Promise<void> => {
    await this.layout.load();
    const { versions } = this;
    // What is sold from matters more than what somebody is drawing, unless that was asked for.
    const first =
      versions.find(({ version }) => version === wanted) ??
      versions.find(({ status }) => status === 'active') ??
      versions[0];
    if (first && this.version === 0) await this.look(first.version);
  };

  async look(version: number, against = 0): Promise<void> {
    this.version = version;
    this.against = against === version ? 0 : against;
    this.shown = null;
    await this.#draw();
  }

  go(ordinal: number): void {
    this.shown = { ordinals: [ordinal], zoneId: null };
  }

  async config(): Promise<LayoutConfig> {
    return this.#config(this.version);
  }

  async step(step: Step, reason: string): Promise<boolean> {
    const { version } = this;
    const done = await this.stepping.run(`${step} ${version} ${reason}`, ({ key }) =>
      desk.client.layouts[step](this.layoutId, { version, reason }, { key: key() }),
    );
    // Also when it failed: perhaps somebody else has done it.
    await this.layout.load();
    return done !== null;
  }

  /** The newest wish counts: a large version may come after a small one. */
  async #draw(): Promise<void> {
    const wish = ++this.#wishes;
    const { newer, older } = this;
    this.isLoading = true;
    try {
      const [to, from, diff] = await Promise.all([
        this.#config(newer),
        older ? this.#config(older) : null,
        older ? this.#diff(older, newer) : null,
      ]);
      if (wish !== this.#wishes) return;
      const plan = from && diff ? diffPlan(from, to, diff) : null;
      this.difference = plan && diff && { ...plan, diff };
      this.hall.show(plan?.drawing ?? readPlan(to).drawing, plan?.gone ?? []);
      this.failure = null;
    } catch (error) {
      if (wish === this.#wishes) this.failure = error;
    } finally {
      if (wish === this.#wishes) this.isLoading = false;
    }
  }

  async #diff(from: number, to: number): Promise<LayoutDiff> {
    const { diff } = await desk.client.layouts.diff(this.layoutId, { from, to });
    return diff as unknown as LayoutDiff;
  }

  /** A version that is drawn again is not fetched again; a draft may have been replaced. */
  #config(version: number): Promise<LayoutConfig> {
    const known = this.#configs.get(version);
    if (known) return known;
    const asked = desk.client.layouts.config(this.layoutId, { version });
    const isDraft = this.versions.find((one) => one.version === version)?.status === 'draft';
    if (!isDraft) this.#configs.set(version, asked);
    asked.catch(() => this.#configs.delete(version));
    return asked;
  }
}
