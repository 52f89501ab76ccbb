import pg from 'pg';
import { assert } from '#kit';

const INT8 = 20;
const DATE = 1082;
const TIMESTAMPTZ = 1184;

/** Revisions, counts and cents are far below 2^53; a value above it is a bug, not a rounding. */
function parseInt8(text: string): number {
  const value = Number(text);
  assert(Number.isSafeInteger(value), `bigint out of range: ${text}`);
  return value;
}

const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [INT8]: parseInt8,
  [DATE]: (text) => text,
  [TIMESTAMPTZ]: (text) => new Date(text).toISOString(),
};

/**
 * 64-bit integers as numbers, days and instants as ISO texts: a row is plain data that survives
 * JSON unchanged. Everything else as node-postgres has it.
 */
export const parsers = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    PARSERS[oid] ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};
