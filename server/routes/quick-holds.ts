import { HoldWish, ReserveWish } from '@voelgoed/client/wire';
import { refusalAtHand } from '@voelgoed/engine/workflows';
import { type AnyReply, type AnyRequest, callerOf, type Http, shapeTest } from '#http';
import { limitHeaders } from '#limits';
import type { RouteContext } from './context.ts';
import { HOLDS, holdTogether, RESERVE, reserve, reserveWish } from './hold-requests.ts';
import { refuseByBoard } from './hold-views.ts';

const ID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const ONE = new RegExp(`^/api/events/(${ID})/seats/(${ID})/reserve$`);
const SEVERAL = new RegExp(`^/api/events/(${ID})/holds$`);

/** What a sale consists of: wishes for seats, of which most are refused. */
export function serveHoldsQuickly(http: Http, context: RouteContext): void {
  http.serveQuickly({
    url: RESERVE,
    match: (path) => {
      const [, event_id, seat_id] = ONE.exec(path) ?? [];
      return event_id === undefined ? null : { event_id, seat_id };
    },
    hasShape: shapeTest(ReserveWish),
    refuse: (request, reply) => refuseTaken(context, request, reply),
    handle: (request, reply) => reserve(context, request, reply),
  });
  http.serveQuickly({
    url: HOLDS,
    match: (path) => {
      const [, event_id] = SEVERAL.exec(path) ?? [];
      return event_id === undefined ? null : { event_id };
    },
    hasShape: shapeTest(HoldWish),
    refuse: () => false,
    handle: (request, reply) => holdTogether(context, request, reply),
  });
}

/** A seat that somebody has, without waiting for anything. */
function refuseTaken(
  { engine, limits }: RouteContext,
  request: AnyRequest,
  reply: AnyReply,
): boolean {
  const { event_id, seat_id } = request.params as { event_id: string; seat_id: string };
  const isNew = request.headers['idempotency-key'] === undefined;
  if (!isNew || !engine.registry.looksTaken(event_id, seat_id)) return false;
  const caller = callerOf(request);
  const found = refusalAtHand(engine, caller, event_id, reserveWish(request));
  if (!found) return false;
  const limit = limits.holds(caller, found.policy);
  const left = limit?.left() ?? 1;
  const refusals = limits.refusals(caller);
  if (left < 1 || !refusals.take().ok) return false;
  refusals.tell();
  found.tell();
  if (limit) reply.headers(limitHeaders(limit.rate, left));
  refuseByBoard(reply, found.refusal, found.at_ms);
  return true;
}
