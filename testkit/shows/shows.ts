/**
 * Shows: what tests of events do again and again, on a node of their own: ask as the owner of a
 * fresh organization or as nobody, plan an event, look at its seats, and take one as a sale would.
 */

import type { Scope } from '@voelgoed/engine/scope';
import { beforeEach } from 'vitest';
import { anEngine, anOrganization, aPublishedEvent, aShow, newId } from '#builders';
import { useDatabase } from '#database';
import { useDemoDatabase } from '#demos';
import { type CallOptions, call, tokenFor, useNode } from '#servers';
import { aBuyer } from './buyers.ts';
import { aDoor } from './doors.ts';

export { documentedCodes, useCodes, whileCommitsAreSlow, whileLocked } from './codes.ts';
export { ADMITTED, denied, verdict } from './doors.ts';
export * from './hold-routes.ts';
export { PAYMENT_SECRET, type Said, tell } from './payments.ts';
export { aHybridHall, anAccessibleHall, aTableAndARow } from './plans.ts';

export function useShows(
  environment: Record<string, string> = {},
  redisOf?: Parameters<typeof useNode>[2],
  metrics?: Parameters<typeof useNode>[3],
) {
  const database = environment.DEMO === '1' ? useDemoDatabase() : useDatabase();
  const node = useNode(database, environment, redisOf, metrics);
  let scope: Scope | undefined;
  beforeEach(async () => {
    scope = await anOrganization(database.postgres);
  });
  const tenant = () => {
    if (!scope) throw new Error('the organization is there inside tests only');
    return scope;
  };
  const ask = (route: string, options: CallOptions = {}) =>
    call(node().address, route, { token: tokenFor(tenant().organizationId), ...options });
  const door = aDoor(ask);
  const buyer = (name = newId()) => aBuyer(node().address, tenant().organizationId, name);
  const show = async (wanted: Parameters<typeof aPublishedEvent>[2] = {}) => {
    const engine = anEngine(database.postgres);
    const { eventId } = await aPublishedEvent(engine, tenant(), wanted);
    const board = await engine.registry.board({ scope: tenant(), eventId });
    if (!board) throw new Error('a published event has a board');
    const { plan, config } = board;
    const seats = Array.from({ length: plan.seatCount }, (_, index) => plan.seatIdOf(index));
    return { eventId, seats, zones: config.zones.map(({ zone_id }) => zone_id) };
  };
  return {
    database,
    node,
    scope: tenant,
    engine: () => anEngine(database.postgres),
    /** As the owner. */
    ask,
    ...door,
    /** As nobody in particular. */
    open: (route: string) => call(node().address, route),
    draftEvent: async (body: object = {}): Promise<string> => {
      const { description: _, ...show } = aShow();
      const made = await ask('POST /api/admin/events', { body: { ...show, ...body } });
      if (made.status !== 201) throw new Error(JSON.stringify(made.body));
      return String(made.data.event_id);
    },
    /** Somebody who buys; the same name is the same person. */
    buyer,
    /** A published event with the ids of its seats, in order, and of its first zone. */
    show,
    /** An event with open doors and a ticket for its first seat. */
    anOpenShow: async (wanted: Parameters<typeof show>[0] = {}) => {
      const made = await show(wanted);
      const [ticket] = await door.sellTo(buyer(), made.eventId, [{ seat_id: made.seats[0] }]);
      if (!ticket) throw new Error('one seat is one ticket');
      return { ...made, ticket, days: await door.openDoors(made.eventId) };
    },
    seatRows: (eventId: string) => database.asSuperuser(SEATS, [eventId]),
    /** As a sale would, which is a matter of the board. */
    take: (eventId: string, label: string, status: string, ticket = newId()) =>
      database.asSuperuser(TAKE, [eventId, label, status, ticket]),
  };
}

const SEATS = `
select e.ordinal, s.label, e.status, e.seat_id, e.ticket_id, e.seat_hold_id
from event_seats e
join event_layouts l on l.organization_id = e.organization_id and l.event_id = e.event_id
join seats s on s.organization_id = e.organization_id and s.layout_id = l.layout_id
  and s.version = l.layout_version and s.ordinal = e.ordinal
where e.event_id = $1 order by e.ordinal`;

const TAKE = `
update event_seats e set status = $3, ticket_id = $4
from seats s where s.organization_id = e.organization_id and s.seat_id = e.seat_id
  and e.event_id = $1 and s.label = $2`;
