/**
 * Limits: how much one user or one address may ask for in a while. It knows buckets and the words
 * of HTTP for them (429, Retry-After, RateLimit headers); what a seat costs and what was refused is
 * told to it. Routes take before they wish and give back what was refused.
 */
export { createLimits, type Limit, type Limits, type RefusalLimit } from './buckets.ts';
export { limitHeaders, refuseLimit, showLimit, takeOrRefuse } from './replies.ts';
