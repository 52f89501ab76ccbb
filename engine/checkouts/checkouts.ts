/**
 * Checkouts: how holds become tickets by being paid for. It knows the states of a checkout and of
 * its payments and how to read them from the database; it decides nothing (the board does) and
 * writes nothing (the registry does). It never sees a card.
 */
export * from './checkout.ts';
export * from './checkouts.sql.ts';
