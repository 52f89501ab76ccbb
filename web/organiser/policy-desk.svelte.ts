import { desk, Resource, Work } from '#desk';

/** One field as the server describes it. */
export type PolicyField = Readonly<{
  kind: 'yes_no' | 'number' | 'choices';
  default: unknown;
  per_event: boolean;
  sentence: string;
  least?: number;
  most?: number;
  outside?: 'refuse' | 'clamp';
  nullable?: boolean;
  choices?: readonly string[];
}>;

export type Change = Readonly<{ name: string; from: unknown; to: unknown }>;

type Seen = Readonly<{
  fields: readonly (readonly [name: string, field: PolicyField])[];
  policy: Readonly<Record<string, unknown>>;
}>;

/** The seating policy: what it says, what was changed in the form, and what is locked. */
export class PolicyDesk {
  readonly seen = new Resource<Seen>(async () => {
    const [policy, fields] = await Promise.all([
      desk.client.policy.get(),
      desk.client.policy.fields(),
    ]);
    return { policy, fields: Object.entries(fields) as [string, PolicyField][] };
  });
  readonly saving = new Work<unknown>();
  /** What somebody has set to another value, by the name of the field. */
  #wanted = $state.raw<Readonly<Record<string, unknown>>>({});

  readonly changes: readonly Change[] = $derived.by(() => {
    const policy = this.seen.value?.policy ?? {};
    return Object.entries(this.#wanted)
      .filter(([name, to]) => !isSame(policy[name], to))
      .map(([name, to]) => ({ name, from: policy[name], to }));
  });

  valueOf(name: string): unknown {
    return name in this.#wanted ? this.#wanted[name] : this.seen.value?.policy[name];
  }

  isLocked(name: string): boolean {
    return ((this.seen.value?.policy.locked_fields ?? []) as string[]).includes(name);
  }

  isChanged(name: string): boolean {
    return this.changes.some((change) => change.name === name);
  }

  set(name: string, value: unknown): void {
    this.#wanted = { ...this.#wanted, [name]: value };
  }

  forget(): void {
    this.#wanted = {};
  }

  /** Only what is another than before goes to the server: the rest may be somebody else's now. */
  async save(): Promise<boolean> {
    const body = Object.fromEntries(this.changes.map(({ name, to }) => [name, to]));
    await this.saving.run(JSON.stringify(body), ({ key }) =>
      desk.client.policy.change(body, { key: key() }),
    );
    if (this.saving.status !== 'done') return false;
    await this.seen.load();
    this.#wanted = {};
    return true;
  }
}

function isSame(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((entry) => other.includes(entry));
}
