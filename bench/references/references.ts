/**
 * What this product is compared with, each as small and as quick as its way can be: a route that
 * does nothing, a route that only knows who asks and says no, one statement for each hold, and the
 * lock in Redis that tutorials teach. They know nothing of the product but the shapes of its
 * requests. Only suites start them.
 */
export { type Reference, startReference } from './reference-process.ts';
export { CREATE_REFERENCE_TABLES } from './references.sql.ts';
