import { Type } from 'typebox';
import { Id, Instant, Maybe } from './basics.ts';

/** One flush changes at most so many holds. */
const MOST_ITEMS = 1_000;
/** As long as staff may hold for a caller. */
const MOST_MINUTES = 60;

export const LengthenWish = Type.Object(
  {
    hold_ids: Type.Array(Id, { minItems: 1, maxItems: MOST_ITEMS }),
    minutes: Type.Integer({
      minimum: 1,
      maximum: MOST_MINUTES,
      description: 'From now on; a hold that has more time left keeps it',
    }),
  },
  { additionalProperties: false },
);

export const LengthenedHolds = Type.Object({
  status: Type.Literal('extended'),
  holds: Type.Array(
    Type.Object({ hold_id: Id, outcome: Type.String(), held_until: Maybe(Instant) }),
  ),
  not_extended: Type.Array(Type.Object({ hold_id: Id, reason: Type.String() }), {
    description:
      '`shop_hold`: a buyer’s own, which staff do not lengthen; `not_active` and ' +
      '`hold_not_found`: over, or never there; `ticket_already_paid`; or `event_busy` and the like',
  }),
  message: Type.String(),
});
