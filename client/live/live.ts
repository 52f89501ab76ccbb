/**
 * Live: a seat map that follows the stream. It puts frames together from bytes, keeps the state
 * they describe, notices silence, gaps and mistakes, and connects again by itself. It knows frames
 * and patience; addresses and tokens are handed in. It knows no page.
 */
export { Following, type FollowingPorts, type FollowOptions } from './following.ts';
export { type Frame, FrameReader } from './frame-reader.ts';
export type { LiveEvent, LiveListener, LiveStatus, OwnHold } from './live-events.ts';
/** @public */
export { LiveMap, type LiveZone, seatBytes, stateAt, type Verdict } from './live-map.ts';
