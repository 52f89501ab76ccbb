import type { FailureCode } from '@voelgoed/client/client';
import type { RuleWords } from '#words';

/** What went wrong, as staff read it: one sentence for every code, and what to do now. */
export const ERRORS_EN: Readonly<Record<FailureCode, string>> = {
  invalid_request: 'The server did not accept this. Please check what you entered.',
  event_not_available: 'This event is not on sale: it is a draft, over, postponed or cancelled.',
  event_sales_closed: 'The sale of this event is closed.',
  no_active_holds: 'None of these seats is held any more. Choose them again.',
  mixed_events: 'One sale is for one event. Sell each event by itself.',
  layout_invalid: 'The layout has problems. Nothing was saved.',
  unauthorized: 'Your sign-in has expired. Please sign in again.',
  signature_invalid: 'The message is not signed as it should be. Check the secret.',
  forbidden: 'Your role does not allow this. An owner or admin can give you the permission.',
  zone_access_denied: 'This zone is for members or people on its list.',
  not_found: 'This does not exist (any more). Load the page again.',
  event_not_found: 'This event does not exist (any more).',
  seat_not_found: 'The event has no such seat. Its layout may have changed: load the page again.',
  zone_not_found: 'The event has no such zone. Its layout may have changed: load the page again.',
  hold_not_found: 'This hold has ended.',
  checkout_not_found: 'There is no such checkout.',
  ticket_not_found: 'There is no such ticket.',
  seat_held_by_another_user: 'Another customer or clerk holds this seat.',
  seat_not_available: 'This seat is sold or blocked.',
  block_at_capacity: 'This zone does not have that many places left.',
  orphan_rule: 'This choice would leave a single seat.',
  no_adjacent_seats: 'There are not that many free seats side by side.',
  no_available_seats: 'There are not that many free seats.',
  wheelchair_limit: 'One booking cannot have that many wheelchair spaces.',
  companion_reserved: 'This seat is kept for the companion of a wheelchair user.',
  hold_limit_reached: 'One booking may not have that many seats.',
  extension_limit_reached: 'These seats cannot be held any longer.',
  hold_cannot_grow: 'The hold has fewer places than that. Hold the others besides.',
  payment_in_progress: 'A payment for these seats is under way. Wait for it to end.',
  ticket_already_paid: 'These seats are paid already.',
  checkout_closed: 'This checkout is closed.',
  policy_locked: 'The platform has locked this setting. Your operator can change it.',
  version_immutable:
    'Another person has changed this version since you opened it, or it is not a draft any more.',
  layout_in_use: 'Events use this layout.',
  webhook_limit_reached: 'You have as many webhooks as are allowed. Remove one first.',
  hold_expired: 'The time of this hold is over.',
  body_too_large: 'This file or list is too large: 32 MB for a layout, 64 KB for anything else.',
  idempotency_key_reused: 'The same request was sent before with other content. Try again.',
  amount_mismatch: 'The amount is not that of the checkout.',
  provider_mismatch: 'The payment was begun with another provider.',
  rate_limited: 'Too many requests in a short time. Wait a moment and try again.',
  internal: 'The server made a mistake. Try again; if it stays, tell your operator.',
  event_busy: 'The event is very busy. Nothing was changed; try again.',
  outcome_unknown: 'It is not known yet whether it was done. Check before you try again.',
  overloaded: 'The server is overloaded. Nothing was changed; try again in a moment.',
  unavailable: 'A part of the server is down. Try again soon.',
  network: 'The server cannot be reached. Check the connection.',
  timeout: 'The server did not answer in time. Check whether it was done before you try again.',
  aborted: 'This was stopped.',
  unreadable: 'The answer could not be read. Try again; if it stays, tell your operator.',
};

const seats = (number: number) => (number === 1 ? '1 seat' : `${number} seats`);

/** Rules and limits of a booking, as staff read them. */
export const RULES_EN: RuleWords = {
  ruleChosen: 'In this event the engine chooses the seats.',
  ruleApart: 'In this event the seats of one booking are side by side.',
  ruleTable: (labels) => `This table is sold as a whole. Its other free seats: ${labels}.`,
  rulePartOfTable: (number, labels) =>
    `One booking cannot have all of this table. Add ${number} more of ${labels}.`,
  ruleFamily: (labels) =>
    `These seats are for families, at least two in one booking. Add one of ${labels}.`,
  tablesFor: (sizes) => `Tables are sold as a whole, and are free for this many people: ${sizes}.`,
  familiesOnly: 'The seats that are left are for families: at least two in one booking.',
  limitOfBooking: (most) => `A booking may have at most ${seats(most)}.`,
  limitOfSpaces: (most) =>
    `A booking may have at most ${most} wheelchair ${most === 1 ? 'space' : 'spaces'}.`,
  limitOfBuyer: (most) => `One customer may hold at most ${seats(most)} of this event at a time.`,
  limitOfNetwork: 'Too many seats of this event are held from one internet connection.',
};
