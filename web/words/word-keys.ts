import type { EN } from './en.ts';

/** Texts and functions for texts, by the keys of the English ones. */
export type Words = typeof EN;
