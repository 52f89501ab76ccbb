import { describe, expect, it } from 'vitest';
import { type Frame, FrameReader } from './frame-reader.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** What a reader makes of a text that comes in pieces of so many bytes. */
function framesOf(text: string, size: number): Frame[] {
  const reader = new FrameReader();
  const bytes = bytesOf(text);
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, index) =>
    reader.read(bytes.subarray(index * size, (index + 1) * size)),
  ).flat();
}

const STREAM = [
  ': a comment',
  '',
  'event: own',
  'id: 7',
  'data: {"label": "Ry É 🎟",',
  'data:"n": 1}',
  '',
  'data: {"without": "a name"}',
  '',
  'event',
  '',
  'event: log',
  ': in between',
  'data: {"rows": []}',
  '',
  'event: unfinished',
];

describe('frames of the stream', () => {
  it.each(['\n', '\r\n', '\r'])('are the same with %j, wherever pieces end', (end) => {
    for (const size of [1, 2, 3, 7, 1_000]) {
      expect(framesOf(STREAM.join(end), size)).toEqual([
        { event: 'own', data: { label: 'Ry É 🎟', n: 1 } },
        { event: 'log', data: { rows: [] } },
      ]);
    }
  });

  it('ask for a time to wait, which is a number or nothing', () => {
    const reader = new FrameReader();
    reader.read(bytesOf('retry: soon\n\n'));
    expect(reader.retry_ms).toBeNull();
    reader.read(bytesOf('retry: 1750\n\nretry: -1\n\n'));
    expect(reader.retry_ms).toBe(1_750);
  });

  it('are not collected without end', () => {
    const reader = new FrameReader();
    const megabyte = bytesOf('x'.repeat(1024 * 1024));
    const endless = () => {
      for (let piece = 0; piece < 20; piece++) reader.read(megabyte);
    };
    expect(endless).toThrow(RangeError);
  });
});
