/**
 * Halls: layouts for the tests of the engine, with every feature a config can have, and the ways
 * to break one. It knows the doors of the engine's rooms and neither database nor server. Only
 * tests call it; those that need a stored layout take `builders`.
 */
export { BROKEN_MEANINGS, BROKEN_SHAPES, brokenHall } from './broken-hall.ts';
export { hall, layoutOf, policyFor, seatRow, zoneOf } from './hall.ts';
