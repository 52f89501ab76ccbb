import { seatBytes, stateAt } from '@voelgoed/client/live';
import type { CrowdOrganization } from '@voelgoed/faults/crowd';
import { type Violation, violation } from '@voelgoed/faults/history';
import { ask, eventsOf, HEALED_MS, type Patience, until } from './look.ts';
import type { Rig } from './open-rig.ts';

type Shown = Readonly<{ revision: number; seats: string }>;
type Look = Readonly<{ eventId: string; problems: readonly string[]; shown: Shown }>;

const HEAD = 'select revision from event_boards where event_id = $1';

/** I11: every open map shows what the nodes and Postgres have, and none has gone back. */
export async function lookAtViews(
  rig: Rig,
  stage: readonly CrowdOrganization[],
  { factor }: Patience,
): Promise<Violation[]> {
  // An event that agreed once is done: while the last holds end, each event agrees at its own time.
  let left = eventsOf(stage).map(({ eventId }) => eventId);
  const problems = await until((HEALED_MS + rig.slow_ms) * factor, async () => {
    const looks = await Promise.all(left.map((eventId) => lookAtEvent(rig, eventId)));
    const views = await rig.crowd.tell({ kind: 'views' });
    const found = looks.map(({ eventId, problems, shown }) => {
      const maps = views.filter(({ event }) => event === eventId);
      return [
        ...problems,
        ...maps.flatMap((map) => differences(`a map of ${eventId}`, map, shown)),
      ];
    });
    left = left.filter((_, index) => found[index]?.length !== 0);
    return found.flat();
  });
  const views = await rig.crowd.tell({ kind: 'views' });
  const mistakes = views.flatMap((view) => view.mistakes.map((step) => `a map went from ${step}`));
  return [...problems, ...mistakes].map((message) => violation('I11', message));
}

/** Postgres has the revision, the first node the seats. */
async function lookAtEvent(rig: Rig, eventId: string): Promise<Look> {
  const [head] = await rig.database.asSuperuser(HEAD, [eventId]);
  const nodes = await Promise.all(
    rig.nodes.map(({ direct }) => ask(`${direct}/api/events/${eventId}/availability`)),
  );
  const revision = Number(head?.revision);
  const shown = { revision, seats: String(nodes[0]?.seats) };
  const problems = nodes.flatMap((node, index) =>
    differences(`node ${index} with ${eventId}`, node as Shown, shown),
  );
  return { eventId, problems, shown };
}

function differences(name: string, one: Shown, shown: Shown): readonly string[] {
  if (one.revision !== shown.revision) {
    return [`${name} is at ${one.revision}, the event at ${shown.revision}`];
  }
  if (one.seats === shown.seats) return [];
  return [`${name} differs at ${one.revision}: ${seatsApart(one.seats, shown.seats)}`];
}

const MOST_SEATS = 5;

/** The first seats that differ: which, what is shown, and what is right. */
function seatsApart(one: string, other: string): string {
  const [wrong, right] = [seatBytes(one), seatBytes(other)];
  const apart = Array.from({ length: right.length * 4 }, (_, ordinal) => ordinal)
    .filter((ordinal) => stateAt(wrong, ordinal) !== stateAt(right, ordinal))
    .map((ordinal) => `${ordinal} is ${stateAt(wrong, ordinal)}, not ${stateAt(right, ordinal)}`);
  return `${apart.length} seats, ${apart.slice(0, MOST_SEATS).join('; ')}`;
}
