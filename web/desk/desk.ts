/**
 * Desk: what all screens for staff know and do, without a pixel: who is signed in and may do what,
 * the way to the server, an event followed with names and reasons, lists that load, and work that
 * takes time and can be repeated safely. What one kind of desk does is in its own room.
 */
export { DeskEvent } from './desk-event.svelte.ts';
export { serverNow } from './now.svelte.ts';
export { firstPage, type PageQuery, Pages } from './pages.svelte.ts';
export { Resource } from './resource.svelte.ts';
export { DEMO_ROLES, desk, type Scope } from './session.svelte.ts';
export { Work, type WorkTools } from './work.svelte.ts';
