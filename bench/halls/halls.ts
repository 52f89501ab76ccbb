/**
 * Halls: an organization with buyers who are known and halls of any size, where sale after sale is
 * opened, and seats that are sold before anything is measured. It knows the engine and the stage
 * and measures nothing. Suites that hold seats over HTTP take their events from here.
 */
export { type Hall, Halls, OPEN_POLICY } from './open-halls.ts';
export { holdSeats, sellSeats } from './sell-seats.ts';
