/**
 * Another checkout of this product beside this one: before a change and after it, with turns in the
 * same minutes, because a machine changes by more from hour to hour than most changes gain. It
 * knows a folder with the other checkout; its schema must be this one's. Only `run` calls it.
 */
export { versionsSuite } from './versions-suite.ts';
