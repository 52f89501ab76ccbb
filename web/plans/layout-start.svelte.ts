import type { LayoutConfig, LayoutVersion } from '@voelgoed/client/client';
import { desk, Resource } from '#desk';
import type { Draft } from './draft.svelte.ts';
import type { GeneratorAnswers, Spec } from './generator-answers.svelte.ts';

type Layout = Awaited<ReturnType<typeof desk.client.layouts.get>>;

/** What a new version starts from: a version of its layout, never a draft by accident. */
export class LayoutStart {
  readonly layout: Resource<Layout>;
  /** The version that is drawn on, with its plan; null while there is a question, or a new hall. */
  base = $state.raw<LayoutVersion | null>(null);
  config = $state.raw<LayoutConfig | null>(null);
  isReady = $state(false);
  failure = $state.raw<unknown>(null);
  readonly #draft: Draft;
  readonly #answers: GeneratorAnswers;
  /** The version that the address asks for. */
  readonly #wanted: number;

  constructor(layoutId: string, wanted: number, draft: Draft, answers: GeneratorAnswers) {
    this.layout = new Resource(() => desk.client.layouts.get(layoutId));
    this.#wanted = wanted;
    this.#draft = draft;
    this.#answers = answers;
  }

  readonly versions = $derived.by(() => this.layout.value?.versions ?? []);
  /** A draft that is there: it is asked what becomes of it. */
  readonly draft = $derived.by(() => this.versions.find(({ status }) => status === 'draft'));
  /** Where a drawing starts that replaces the draft; undefined: from nothing. */
  readonly other = $derived.by(() => {
    const others = this.versions.filter(({ status }) => status !== 'draft');
    const wanted = others.find(({ version }) => version === this.#wanted);
    return wanted ?? others.find(({ status }) => status === 'active') ?? others[0];
  });

  async open(): Promise<void> {
    await this.layout.load();
    const { draft } = this;
    if (this.layout.failure || (draft && draft.version !== this.#wanted)) return;
    await this.start(draft ?? this.other);
  }

  /** Goes on with a version. Another one than the draft archives the draft when it is saved. */
  async start(version: LayoutVersion | undefined): Promise<void> {
    const [newest] = this.versions;
    if (!newest) return;
    const { revision } = newest;
    this.#draft.seen = { version: newest.version, revision };
    this.#draft.keepsDraft = newest.status === 'draft' && version !== newest;
    this.failure = null;
    try {
      if (version) await this.#take(version);
      this.isReady = true;
    } catch (error) {
      this.failure = error;
    }
  }

  async #take(version: LayoutVersion): Promise<void> {
    const { layout_id, version: number } = version;
    const [config, { spec }] = await Promise.all([
      desk.client.layouts.config(layout_id, { version: number }),
      desk.client.layouts.get(layout_id, { version: number }),
    ]);
    if (spec && this.#answers.take(await plain(spec))) this.base = version;
    else {
      this.base = version;
      this.config = config;
    }
    this.#draft.name = version.name;
    this.#draft.description = version.description ?? '';
  }
}

/** Shapes with every seat by its label, as the form shows them. */
async function plain(spec: Spec): Promise<Spec> {
  if (!JSON.stringify(spec).includes('"row":')) return spec;
  const { spec: shapes } = await desk.client.layouts.generate(spec);
  return shapes ?? spec;
}
