/**
 * The stream: what every open seat map of this node sees, as it changes. One state and one encoded
 * frame per step for all who listen to an event, a ring of frames for those who come back, and
 * beside it what a buyer may know of their own holds and staff of everybody's. It knows frames and
 * pipes, no routes; it reads boards and writes nothing. Routes let clients in; the process drains.
 */
export type { Pipe } from './client.ts';
export { type Entered, StreamHub, type StreamLimits, type Ticket } from './hub.ts';
export type { StreamPlace } from './ring.ts';
