/**
 * A TCP proxy that misbehaves on request. This room knows sockets, bytes and toxics: it stands
 * between a client and a server (TCP or unix socket) and delays, holds back, cuts, resets or
 * swallows what passes. It must not know what the bytes mean (Postgres, Redis, HTTP), nor anything
 * of seats; a test that wants to act on a message hands in a matcher or a hook. Tests and the fault
 * rig may call it, the product may not.
 */
export { type FaultProxy, type ProxyOptions, startProxy } from './fault-proxy.ts';
export type { Upstream } from './link.ts';
export type { Verdict } from './pipe.ts';
export type { Direction, Toxic } from './toxics.ts';
