/**
 * The warm tier: what Redis knows of boards and may tell about them. It claims seats for wishes on
 * their way to the writer, writes through what was committed, reads for nodes that do not have the
 * board, hears what other nodes have committed, and puts right what is not so. It may vanish at any
 * moment and accepts nothing: the registry decides. The server opens it; the registry, workflows
 * and jobs use it through its parts.
 */
export { contentIn, headOf, type ZoneRecord } from './event-record.ts';
export type { DuePlace } from './readers.ts';
export type { Reconciled } from './reconcile.ts';
export { sealed, withoutSeal } from './sealed-text.ts';
export { type Count, countOfBoard, type TierFindings } from './tier-content.ts';
export { WarmTier, type WarmTierOptions } from './warm-tier.ts';
