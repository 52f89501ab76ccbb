import { recordingTelemetry } from '@voelgoed/engine/telemetry';
import { describe, expect, it } from 'vitest';
import { Client, type Pipe } from './client.ts';

/** A network that takes nothing. */
function aStuckPipe() {
  const seen = { waiting: 0, writes: 0, destroyed: false, ended: false };
  const pipe: Pipe = {
    get writableLength() {
      return seen.waiting;
    },
    write: (bytes) => {
      seen.waiting += bytes.length;
      seen.writes++;
      return false;
    },
    end: () => {
      seen.ended = true;
    },
    destroy: () => {
      seen.destroyed = true;
    },
  };
  return { pipe, seen };
}

describe('a client that does not read', () => {
  it('is cut off before much waits for it, once', () => {
    const { pipe, seen } = aStuckPipe();
    const telemetry = recordingTelemetry();
    const client = new Client(pipe, { userId: null, isStaff: false }, telemetry);
    const frame = Buffer.alloc(32 * 1024);
    for (let count = 0; count < 100; count++) client.write(frame);
    client.end();
    expect(seen.destroyed).toBe(true);
    expect(seen.ended).toBe(false);
    expect(seen.waiting).toBeLessThanOrEqual(288 * 1024);
    expect(telemetry.happenings).toEqual([{ kind: 'stream.dropped' }]);
  });
});
