import type { Change } from './changes.ts';
import type { OwnedPlaces } from './commands.ts';
import type { Draft } from './draft.ts';
import type { SoldChange } from './sale-changes.ts';

type Ticket = OwnedPlaces & Readonly<{ user_id: string }>;

/** What users own by the sales of a stage, as the database would say it of anybody. */
export class Owned extends Map<string, readonly OwnedPlaces[]> {
  readonly #tickets = new Map<string, Ticket>();

  override get(user: string): readonly OwnedPlaces[] {
    const own = [...this.#tickets.values()].filter(({ user_id }) => user_id === user);
    return own.map(({ user_id: _, ...places }) => places);
  }

  override has(): boolean {
    return true;
  }

  /** After a commit. */
  remember(draft: Draft, changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.kind === 'sold') this.#sell(draft, change);
      if (change.kind === 'ticket_ended') this.#tickets.delete(change.ticket_id);
    }
  }

  #sell(draft: Draft, { user_id, tickets }: SoldChange): void {
    const left = new Map<string, string[]>();
    for (const { ticket_id, hold_id, zone } of tickets) {
      const { people = [] } = draft.endedOf(hold_id) ?? {};
      const named = left.get(hold_id) ?? [...people];
      left.set(hold_id, named);
      const { zone_id = '' } = draft.config.zones[zone] ?? {};
      const person = named.shift() ?? user_id;
      this.#tickets.set(ticket_id, { user_id, zone_id, person, places: 1 });
    }
  }
}
