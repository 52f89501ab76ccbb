/**
 * Records: what an organization can prove: that all tiers say the same about holds, who did what
 * and that it was not altered, what was refused, and what is to be paid back. It reads, verifies
 * and reconciles; it changes no seat and no ticket.
 */
export { default as AuditPage } from './audit-page.svelte';
export { default as RefundsPage } from './refunds-page.svelte';
export { default as RefusalsPage } from './refusals-page.svelte';
export { default as RegistryPage } from './registry-page.svelte';
