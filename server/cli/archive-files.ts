import { createReadStream, createWriteStream } from 'node:fs';
import { access, rename, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { reasonOf } from '@voelgoed/engine/kit';
import { ArchiveReader, type ArchiveVerdict, ArchiveWriter } from '@voelgoed/engine/workflows';
import { Failure } from './failures.ts';

type Lines = AsyncIterable<Parameters<ArchiveWriter['line']>[0]>;

/** Personal data may be in it: nobody else on the machine reads it. */
const MODE = 0o600;

/** A file that is complete or not there. Answers how many lines; 0: nothing came. */
export async function writeArchive(
  file: string,
  lines: Lines,
  onLine: (done: number) => void,
): Promise<number> {
  if (await isThere(file)) throw new Failure('refused', `${file} is there already`);
  const writer = new ArchiveWriter();
  const draft = `${file}.unfinished`;
  const texts = async function* () {
    for await (const line of lines) {
      yield writer.line(line);
      onLine(writer.lines);
    }
    if (writer.lines > 0) yield writer.end();
  };
  try {
    const sink = createWriteStream(draft, { flags: 'wx', mode: MODE });
    if (file.endsWith('.gz')) await pipeline(Readable.from(texts()), createGzip(), sink);
    else await pipeline(Readable.from(texts()), sink);
    if (writer.lines > 0) await rename(draft, file);
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') {
      throw new Failure('missing', `${file} cannot be written: ${reasonOf(error)}`);
    }
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return writer.lines;
}

export async function readArchive(
  file: string,
  onLine: (done: number) => void = () => {},
): Promise<ArchiveVerdict> {
  if (!(await isThere(file))) throw new Failure('missing', `there is no file ${file}`);
  const reader = new ArchiveReader();
  const source = createReadStream(file);
  const text = file.endsWith('.gz') ? source.pipe(createGunzip()) : source;
  let count = 0;
  try {
    for await (const line of createInterface({ input: text, crlfDelay: Infinity })) {
      reader.add(line);
      onLine(++count);
    }
  } catch (error) {
    // Half a compressed file ends in an error of its own.
    return { ...reader.verdict(), ok: false, problem: reasonOf(error) };
  }
  return reader.verdict();
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
