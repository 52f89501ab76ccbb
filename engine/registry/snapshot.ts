import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { BoardContent } from '#board';

/** A board as it is stored: JSON with its arrays in base64, compressed. */
type Packed = Omit<BoardContent, 'codes' | 'versions'> & { codes: string; versions: string };

const zip = promisify(gzip);
const unzip = promisify(gunzip);

export async function packContent(content: BoardContent): Promise<Buffer> {
  const { codes, versions, ...rest } = content;
  const packed: Packed = {
    ...rest,
    codes: Buffer.from(codes).toString('base64'),
    versions: Buffer.from(versions.buffer, versions.byteOffset, versions.byteLength).toString(
      'base64',
    ),
  };
  return zip(JSON.stringify(packed));
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
