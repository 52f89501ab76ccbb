import { fieldIn } from '#desk-parts';
import { d } from '#desk-words';
import type { FoundProblem } from './draft.svelte.ts';
import type { ReadPlan } from './read-plan.ts';

/** Problems of one kind: said once, with the names of the first places. */
export type ProblemGroup = Readonly<{
  code: string;
  sentence: string;
  problems: readonly FoundProblem[];
}>;

const NAMED = 4;

export function groupProblems(
  problems: readonly FoundProblem[],
  plan: ReadPlan | null,
): readonly ProblemGroup[] {
  const byCode = Map.groupBy(problems, ({ code = '' }) => code);
  return [...byCode].map(([code, found]) => {
    const names = [...new Set(found.slice(0, 50).map((one) => placeName(one, plan)))];
    const [only] = found;
    if (only && found.length === 1 && SHAPE.test(only.path)) {
      const said = d().problems.saying(only.message) ?? `${d().problems.kind(code, 1)}.`;
      return { code, sentence: d().problems.field(names[0] ?? '', said), problems: found };
    }
    const shown = names.filter((name) => name !== '').slice(0, NAMED);
    const kind = d().problems.kind(code, found.length);
    const hasMore = names.length > shown.length || found.length > 50;
    const sentence =
      shown.length > 0 ? d().problems.places(kind, shown.join(', '), hasMore) : `${kind}.`;
    return { code, sentence, problems: found };
  });
}

const SHAPE = /^shapes\[(\d+)\]/;
const WHOLE_ZONE = /^zones\[\d+\](?:\.(?!seats|rows)\w+.*)?$/;

/** The place as it is called in the hall: a seat, a zone, or a field of the form. */
export function placeName({ path, place }: FoundProblem, plan: ReadPlan | null): string {
  const shape = SHAPE.exec(path)?.[1];
  const fields = d().plans.fields as Record<string, string>;
  const field = fieldIn(path);
  if (shape !== undefined) {
    return d().problems.inShape(Number(shape) + 1, fields[field] ?? d().problems.fieldOf(field));
  }
  const zones = plan?.drawing.zones ?? [];
  const zone = zones.find(({ zone_id }) => zone_id === place?.zoneId)?.name;
  if (zone && WHOLE_ZONE.test(path)) return zone;
  const seat = plan?.drawing.seats[place?.ordinals[0] ?? -1];
  if (seat) return zone && !seat.label.startsWith(zone) ? `${zone} ${seat.label}` : seat.label;
  return field === '' ? '' : (fields[field] ?? d().problems.fieldOf(field));
}
