import pg from 'pg';
import { assert } from '#kit';

const INT8 = 20;
const DATE = 1082;

/** Revisions, counts and cents are far below 2^53; a value above it is a bug, not a rounding. */
function parseInt8(text: string): number {
  const value = Number(text);
  assert(Number.isSafeInteger(value), `bigint out of range: ${text}`);
  return value;
}

/** 64-bit integers as numbers, calendar days as text; everything else as node-postgres has it. */
export const parsers = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8) return parseInt8;
    if (oid === DATE) return (text: string) => text;
    return pg.types.getTypeParser(oid, format);
  }) as typeof pg.types.getTypeParser,
};
