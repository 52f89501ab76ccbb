/**
 * Live: a seat map that follows the stream. It puts frames together from bytes and keeps the state
 * they describe; how the bytes arrive, and when to connect again, is up to whoever uses it. It
 * knows no page and no server.
 */
export { type Frame, FrameReader } from './frame-reader.ts';
export { LiveMap, type LiveZone, type Verdict } from './live-map.ts';
