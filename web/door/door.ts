/**
 * Door: who comes in. A scanner for typed codes, handheld scanners and cameras, and the list of who
 * is inside. It shows what the server decides about a ticket and decides nothing itself; it knows
 * no seats and no sale.
 */
export { default as DoorChoice } from './door-choice.svelte';
export { default as DoorPage } from './door-page.svelte';
