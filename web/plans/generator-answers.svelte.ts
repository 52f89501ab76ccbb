import type { Drawing } from '@voelgoed/client/client';
import {
  type Answers,
  answersOf,
  PRESETS,
  type Preset,
  SHAPES,
  type Shape,
  specOf,
  startOf,
  withPrefix,
} from './shape-fields.ts';
import { below, startBeside, uniqueZone } from './shapes-beside.ts';

export type Spec = Readonly<Record<string, unknown>>;

/** One shape of a hall: what was typed, and what the form has no field for. */
export type Part = Readonly<{ id: number; shape: Shape; answers: Answers; rest: Spec }>;

/** What was typed into the form of the generator, of each preset and of the shapes. */
export class GeneratorAnswers {
  kind = $state<Preset | 'own'>('theatre');
  added = $state<Shape>('area');
  presets = $state.raw<Readonly<Record<Preset, Answers>>>({
    theatre: startOf(PRESETS.theatre),
    arena: startOf(PRESETS.arena),
    festival: startOf(PRESETS.festival),
    gala: startOf(PRESETS.gala),
  });
  parts = $state.raw<readonly Part[]>([
    { id: 1, shape: 'curved_rows', answers: startOf(SHAPES.curved_rows), rest: {} },
  ]);
  /** What a spec says besides its shapes. */
  #rest = $state.raw<Spec>({});
  #last = 1;

  readonly spec: Spec = $derived.by(() => {
    const { kind } = this;
    if (kind !== 'own') return { preset: kind, ...specOf(PRESETS[kind], this.presets[kind]) };
    const shapes = this.parts.map(({ shape, answers, rest }) => ({
      shape,
      ...rest,
      ...specOf(SHAPES[shape], answers),
    }));
    return { ...this.#rest, shapes };
  });

  /** The form as it was when this was drawn; false: the form cannot say all of it. */
  take(spec: Spec): boolean {
    if (typeof spec.preset === 'string') {
      const kind = spec.preset as Preset;
      if (!PRESETS[kind]) return false;
      this.presets = { ...this.presets, [kind]: answersOf(PRESETS[kind], spec) };
      this.kind = kind;
      return true;
    }
    return this.takeShapes(spec);
  }

  takeShapes({ shapes, ...rest }: Spec): boolean {
    const list = Array.isArray(shapes) ? (shapes as readonly Spec[]) : [];
    if (list.length === 0 || !list.every(({ shape }) => String(shape) in SHAPES)) return false;
    this.parts = list.map((own) => {
      const shape = own.shape as Shape;
      const names = new Set<string>(['shape', ...SHAPES[shape].map(({ name }) => name)]);
      const others = Object.entries(own).filter(([name]) => !names.has(name));
      this.#last += 1;
      const answers = answersOf(SHAPES[shape], own);
      return { id: this.#last, shape, answers, rest: Object.fromEntries(others) };
    });
    this.#rest = rest;
    this.kind = 'own';
    return true;
  }

  changePreset(kind: Preset, answers: Answers): void {
    this.presets = { ...this.presets, [kind]: answers };
  }

  change(id: number, next: Answers): void {
    this.parts = this.parts.map((part) =>
      part.id === id ? { ...part, answers: withPrefix(part.answers, next) } : part,
    );
  }

  /** Behind what is drawn by now. */
  add(drawing: Drawing | null): void {
    const answers = startBeside(this.added, this.parts, drawing);
    this.#last += 1;
    this.parts = [...this.parts, { id: this.#last, shape: this.added, answers, rest: {} }];
  }

  duplicate(id: number, drawing: Drawing | null): void {
    const index = this.parts.findIndex((part) => part.id === id);
    const part = this.parts[index];
    if (!part) return;
    const names = this.parts.map(({ answers }) => answers.zone ?? '');
    const zone = uniqueZone(part.answers.zone ?? '', names);
    const moved = below(part.shape, part.answers, drawing, index);
    const label_prefix = part.shape === 'area' ? {} : { label_prefix: `${zone} ` };
    this.#last += 1;
    const copy = { ...part, id: this.#last, answers: { ...moved, zone, ...label_prefix } };
    this.parts = [...this.parts, copy];
  }

  remove(id: number): void {
    this.parts = this.parts.filter((part) => part.id !== id);
  }
}
