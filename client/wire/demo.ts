import { Type } from 'typebox';
import { Id } from './basics.ts';

/** As many as one small machine shows without anybody noticing. */
const MOST_BUYERS = 500;

export const OnSaleWish = Type.Object(
  {
    event_id: Id,
    buyers: Type.Integer({ minimum: 0, maximum: MOST_BUYERS, description: '0 stops it' }),
  },
  { additionalProperties: false },
);

/** How a simulated sale is getting on. */
export const OnSaleReply = Type.Object({
  event_id: Id,
  running: Type.Boolean(),
  buyers: Type.Integer(),
  finished: Type.Integer({ description: 'Buyers who have bought, given up or left' }),
  held: Type.Integer({ description: 'Seats and places that they have held so far' }),
  sold: Type.Integer(),
  released: Type.Integer(),
  refused: Type.Integer({ description: 'Wishes that the event could not fulfil' }),
});
