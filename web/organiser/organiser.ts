/**
 * Organiser: what an organization decides about itself: its events from the first draft to the
 * archive, its seating policy, its people, keys, token issuers and webhooks. It asks and tells the
 * server through the desk; who may hold a seat and what a layout looks like are for others.
 */
export { default as AccessPage } from './access-page.svelte';
export { default as EventPage } from './event-page.svelte';
export { default as MembersPage } from './members-page.svelte';
export { default as PolicyPage } from './policy-page.svelte';
export { default as WebhookPage } from './webhook-page.svelte';
export { default as WebhooksPage } from './webhooks-page.svelte';
export { default as WizardPage } from './wizard-page.svelte';
