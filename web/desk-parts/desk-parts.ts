/**
 * Desk parts: pieces that screens for staff are made of: a map on which seats are pointed out, a
 * dialog that says what will happen and asks why, work with its progress, and the states a list
 * can be in. They draw what they are given; what is done is up to the desks.
 */
export { default as EventBadge } from './event-badge.svelte';
export { default as HallMap } from './hall-map.svelte';
export { default as LiveSign } from './live-sign.svelte';
export { default as Loaded } from './loaded.svelte';
export { type Problem, problemsOf } from './problems.ts';
export { default as ReasonDialog } from './reason-dialog.svelte';
export { fieldIn, reasonOf } from './reasons.ts';
export { default as ScrollBox } from './scroll-box.svelte';
export { default as WorkBar } from './work-bar.svelte';
