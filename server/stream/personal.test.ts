import { FrameReader } from '@voelgoed/client/live';
import type { Board, ChangeRow } from '@voelgoed/engine/board';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import { describe, expect, it } from 'vitest';
import { Client } from './client.ts';
import { Personal } from './personal.ts';
import type { Source } from './source.ts';

/** Nothing else of it is read for rows that name no seat. */
const boardAt = (revision: number) => ({ revision, holds: () => [] }) as unknown as Board;
const rowAt = (revision: number) =>
  ({ revision, at_ms: 0, changes: [{ kind: 'config' }] }) as unknown as ChangeRow;

type LogFrame = { from: number; rows: { revision: number }[] };

/** Staff who write down what they are told about a board at this revision. */
function anOffice(revision: number) {
  const source = { board: () => boardAt(revision), now_ms: () => 0 } as unknown as Source;
  const personal = new Personal(source);
  const reader = new FrameReader();
  const frames: LogFrame[] = [];
  const pipe = {
    writableLength: 0,
    write: (bytes: Uint8Array) =>
      frames.push(...reader.read(bytes).map(({ data }) => data as LogFrame)) > 0,
    end: () => {},
    destroy: () => {},
  };
  personal.greet(new Client(pipe, { userId: null, isStaff: true }, silentTelemetry));
  const hear = (...revisions: number[]) => {
    for (const one of revisions) personal.heard(boardAt(one), rowAt(one));
  };
  return { personal, frames, hear };
}

describe('the log that staff are told', () => {
  it('says how far it is when the board was loaded anew, and nothing follows', () => {
    const { personal, frames } = anOffice(20);
    personal.lost();
    personal.tell();
    personal.tell();
    expect(frames).toEqual([{ from: 20, revision: 20, rows: [] }]);
  });

  it('leaves nothing out between its first row and its last', () => {
    const { personal, frames, hear } = anOffice(21);
    hear(10, 11);
    // The board was loaded anew, with rows that nobody has read to us.
    hear(20, 21);
    personal.tell();
    expect(frames.map(({ from, rows }) => [from, ...rows.map(({ revision }) => revision)])).toEqual(
      [[19, 20, 21]],
    );
  });
});
