import { FrameReader } from '@voelgoed/client/live';
import type { Board, ChangeRow } from '@voelgoed/engine/board';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import { describe, expect, it } from 'vitest';
import { Client } from './client.ts';
import { Personal } from './personal.ts';
import type { Source } from './source.ts';

/** Nothing of it is read for rows that name no seat. */
const BOARD = {} as Board;
const rowAt = (revision: number) =>
  ({ revision, at_ms: 0, changes: [{ kind: 'config' }] }) as unknown as ChangeRow;

describe('the log that staff are told', () => {
  it('leaves nothing out between its first row and its last', () => {
    const source = { board: () => null, now_ms: () => 0 } as unknown as Source;
    const personal = new Personal(source);
    const reader = new FrameReader();
    const frames: { from: number; rows: { revision: number }[] }[] = [];
    const pipe = {
      writableLength: 0,
      write: (bytes: Uint8Array) =>
        frames.push(...reader.read(bytes).map(({ data }) => data as never)) > 0,
      end: () => {},
      destroy: () => {},
    };
    personal.greet(new Client(pipe, { userId: null, isStaff: true }, silentTelemetry));
    for (const revision of [10, 11]) personal.heard(BOARD, rowAt(revision));
    // The board was loaded anew, with rows that nobody has read to us.
    personal.lost();
    for (const revision of [20, 21]) personal.heard(BOARD, rowAt(revision));
    personal.tell();
    expect(frames.map(({ from, rows }) => [from, ...rows.map(({ revision }) => revision)])).toEqual(
      [[19, 20, 21]],
    );
  });
});
