import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { chainRows, type Deed } from './audit.ts';

const ORGANIZATION = '018f0000-0000-7000-8000-000000000001';
const CHAIN = '018f0000-0000-7000-8000-000000000002';
const AT = '2026-01-01T00:00:00.000000Z';

const deed: Deed = {
  actor: { kind: 'user', id: '018f0000-0000-7000-8000-000000000003', role: 'customer' },
  contextId: null,
  entries: [
    { action: 'seat_reserved', entityType: 'seat_hold', entityId: null, changes: { b: 1, a: 'ü' } },
    { action: 'seat_released', entityType: 'seat_hold', entityId: null, changes: {} },
  ],
};

describe('the chain', () => {
  /** Rows that are stored must verify for ever: the bytes that are hashed are spelled out here. */
  it('hashes the hash before and the canonical text of the row', () => {
    const start = { count: 7, hash: Buffer.alloc(32, 1) };
    const { rows, head } = chainRows(ORGANIZATION, CHAIN, start, AT, [deed]);
    const who = `"user","018f0000-0000-7000-8000-000000000003","customer"`;
    const text = (sequence: number, action: string, changes: string) =>
      `["${ORGANIZATION}","${CHAIN}",${sequence},"${AT}",${who},"${action}","seat_hold",null,` +
      `${changes},null]`;
    const sha = (before: Buffer, line: string) =>
      createHash('sha256').update(before).update(line).digest();
    const first = sha(start.hash, text(8, 'seat_reserved', '{"a":"ü","b":1}'));
    const second = sha(first, text(9, 'seat_released', '{}'));
    expect(rows.map(({ hash }) => hash)).toEqual([first, second]);
    expect(head).toEqual({ count: 9, hash: second });
  });
});
