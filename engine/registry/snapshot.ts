import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip, gunzip } from 'node:zlib';
import type { BoardContent } from '#board';
import { nextTurn } from '#kit';

/** A board as it is stored: JSON with its arrays in base64, compressed. */
type Packed = Omit<BoardContent, 'codes' | 'versions'> & { codes: string; versions: string };

/** Lists that grow with the sale, and how much of one is written in a turn of the loop. */
const LISTS = ['holds', 'checkouts', 'keyed'] as const;
const PORTION = 500;
/** Quickly rather than small: it runs beside a rush, and 6 takes four times the processor. */
const LEVEL = 1;

const unzip = promisify(gunzip);

/**
 * In turns: all at once a board of 100,000 seats with 10,000 holds kept everybody waiting for 24 to
 * 45 ms, and there is one to be packed every few seconds of a rush.
 */
export async function packContent(content: BoardContent): Promise<Buffer> {
  const packed = createGzip({ level: LEVEL });
  const [bytes] = await Promise.all([
    buffer(packed),
    pipeline(Readable.from(inTurns(piecesOf(content))), packed),
  ]);
  return bytes;
}

async function* inTurns(pieces: Iterable<string>): AsyncIterable<string> {
  for (const piece of pieces) {
    yield piece;
    await nextTurn();
  }
}

function* piecesOf({ codes, versions, ...rest }: BoardContent): Iterable<string> {
  const { buffer: words, byteOffset, byteLength } = versions;
  const lists = Object.fromEntries(LISTS.map((name) => [name, undefined]));
  yield `{"codes":"${Buffer.from(codes).toString('base64')}"`;
  yield `,"versions":"${Buffer.from(words, byteOffset, byteLength).toString('base64')}"`;
  for (const name of LISTS) {
    yield `,"${name}":[`;
    const all: readonly unknown[] = rest[name];
    for (let from = 0; from < all.length; from += PORTION) {
      const portion = JSON.stringify(all.slice(from, from + PORTION)).slice(1, -1);
      yield from === 0 ? portion : `,${portion}`;
    }
    yield ']';
  }
  yield `,${JSON.stringify({ ...rest, ...lists }).slice(1)}`;
}

export async function unpackContent(bytes: Buffer): Promise<BoardContent> {
  const { codes, versions, ...rest } = JSON.parse(String(await unzip(bytes))) as Packed;
  const words = Uint8Array.from(Buffer.from(versions, 'base64'));
  return {
    ...rest,
    codes: Uint8Array.from(Buffer.from(codes, 'base64')),
    versions: new Uint32Array(words.buffer),
  };
}
