import type { AuditRecord } from '@voelgoed/client/client';
import { d } from '#desk-words';
import { longDateAt, money, t } from '#words';

/** What an entry changed or says: `before` only where it says both. */
export type Said = Readonly<{ label: string; before: string | null; now: string }>;

type About = Readonly<{ currency: string; timeZone: string | undefined }>;
type Values = Readonly<Record<string, unknown>>;

/** Two names for one thing, before and after. */
const PAIRS: Readonly<Record<string, readonly [before: string, label: string]>> = {
  new_status: ['previous_status', 'status'],
  quantity: ['previous_quantity', 'quantity'],
  version_after: ['version_before', 'version'],
  to: ['from', 'status'],
};
const BEFORE = new Set(Object.values(PAIRS).map(([name]) => name));
/** Ids tell people nothing; all of them are in the text beside it. */
const ID = /_ids?$|_token$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TIME = /^\d{4}-\d{2}-\d{2}T/;

/** The changes of an entry as people read them, in the order in which they are written. */
export function readChanges(entry: AuditRecord, about: About): Said[] {
  const changes = entry.changes as Values;
  const seats = labelsOf(entry);
  const reader = new Reader(about, seats);
  return Object.entries(changes).flatMap(([name, value]) => {
    const [older, label = name] = PAIRS[name] ?? [];
    if (older !== undefined && older in changes) {
      const isSeat = typeof value === 'string' && seats.has(value);
      return [reader.changed(isSeat ? 'seat' : label, changes[older], value)];
    }
    const isSaid = BEFORE.has(name) && Object.keys(changes).some((one) => PAIRS[one]?.[0] === name);
    if (isSaid || (ID.test(name) && name !== 'hold_ids')) return [];
    if (isChange(value)) return [reader.changed(name, value.from, value.to)];
    return [{ label: labelOf(name), before: null, now: reader.say(name, value) }];
  });
}

function isChange(value: unknown): value is { from: unknown; to: unknown } {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value;
}

class Reader {
  readonly #about: About;
  readonly #seats: ReadonlyMap<string, string>;

  constructor(about: About, seats: ReadonlyMap<string, string>) {
    this.#about = about;
    this.#seats = seats;
  }

  changed(name: string, before: unknown, now: unknown): Said {
    const label = labelOf(name);
    return { label, before: this.say(name, before), now: this.say(name, now) };
  }

  say(name: string, value: unknown): string {
    const { audit } = d();
    if (value === null || value === undefined || value === '') return audit.none;
    if (typeof value === 'boolean') return value ? audit.yes : audit.no;
    if (typeof value === 'number') return this.#number(name, value);
    if (typeof value === 'string') return this.#text(value);
    if (!Array.isArray(value)) return this.#parts(name, value as Values);
    if (name === 'hold_ids') return this.#number(name, value.length);
    return value.map((one) => this.say(name, one)).join(', ') || audit.none;
  }

  #number(name: string, value: number): string {
    if (name.endsWith('_cents') || name === 'prices') return money(value, this.#about.currency);
    if (name.endsWith('_seconds')) return d().audit.seconds(value);
    return value.toLocaleString(t().locale);
  }

  #text(value: string): string {
    if (TIME.test(value)) return longDateAt(value, this.#about.timeZone);
    const { audit, common } = d();
    const known: Readonly<Record<string, string>> = {
      ...common.roles,
      ...common.statuses,
      ...audit.values,
    };
    return this.#seats.get(value) ?? known[value] ?? value;
  }

  /** A ticket with its seat and price, prices by zone. */
  #parts(name: string, value: Values): string {
    const said = Object.entries(value).flatMap(([inner, one]) => {
      const isSeat = typeof one === 'string' && this.#seats.has(one);
      if (ID.test(inner) && !isSeat) return [];
      const isNamed = !isSeat && !UUID.test(inner) && !inner.endsWith('_cents');
      const text = this.say(UUID.test(inner) ? name : inner, one);
      return [isNamed ? `${labelOf(inner)}: ${text}` : text];
    });
    return said.join(' · ') || d().audit.none;
  }
}

function labelOf(name: string): string {
  const fields: Readonly<Record<string, string>> = d().audit.fields;
  const policies: string = d().organiser.policyName(name);
  return fields[name] ?? (policies === name ? name.replaceAll('_', ' ') : policies);
}

/** Labels by seat id. The server gives them in the order in which the ids are written. */
function labelsOf({ changes, seat_labels }: AuditRecord): Map<string, string> {
  const { seat_id, from, to, seats, tickets } = changes as Values;
  const sold = Array.isArray(tickets) ? tickets.map((one: Values) => one.seat_id) : [];
  const ids = [seat_id, from, to, ...(Array.isArray(seats) ? seats : []), ...sold]
    .filter((id) => typeof id === 'string' && UUID.test(id))
    .slice(0, seat_labels.length);
  return new Map(ids.map((id, index) => [String(id), seat_labels[index] ?? '']));
}

/** Who did it, by name where there is one. */
export function actorOf(entry: AuditRecord): string {
  const { audit, common } = d();
  const { actor_kind, actor_id, actor_name, actor_role, actor_erased } = entry;
  if (actor_kind === 'system') return audit.system;
  if (actor_kind === 'platform') return audit.platform;
  if (actor_erased) return audit.erased;
  if (actor_name) return actor_kind === 'key' ? audit.key(actor_name) : actor_name;
  const roles: Readonly<Record<string, string>> = common.roles;
  return audit.unnamed(roles[actor_role ?? ''] ?? actor_kind, (actor_id ?? '').slice(-6));
}

/** What was done, in words; the code of an action that this version does not know. */
export function actionOf(action: string): string {
  const actions: Readonly<Record<string, string>> = d().audit.actions;
  return actions[action] ?? action;
}
