/**
 * Staff: where the screens for staff begin. It asks who somebody is, shows the way to what they
 * may do, and fetches each desk when it is gone to. The shop fetches this room when somebody goes
 * to an address under /staff, and not before.
 */
export { default as StaffShell } from './staff-shell.svelte';
