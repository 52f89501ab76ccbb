import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

export type SiteFile = Readonly<{
  type: string;
  etag: string;
  /** Its name has a hash of its content: it never changes. */
  isForever: boolean;
  identity: Buffer;
  br: Buffer | null;
  gzip: Buffer | null;
}>;

/** Files by the path they are asked by; `index` is the page that all routes of the app share. */
export type Site = Readonly<{ files: ReadonlyMap<string, SiteFile>; index: SiteFile }>;

/** What the page has to know before it asks for anything. */
export type SiteSettings = Readonly<{ demo: boolean; organization: string | null }>;

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
};
const SETTINGS = '<!-- settings -->';

/** Null when the app was never built: the API works all the same. */
export async function readSite(folder: string, settings: SiteSettings): Promise<Site | null> {
  const page = await readFile(join(folder, 'index.html'), 'utf8').catch(() => null);
  if (page === null) return null;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && TYPES[extname(entry.name)])
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => path !== 'index.html');
  const files = await Promise.all(
    paths.map(async (path) => {
      const address = `/${path.split(sep).join('/')}`;
      return [address, await readOne(folder, path)] as const;
    }),
  );
  return { files: new Map(files), index: await indexOf(page, settings) };
}

async function readOne(folder: string, path: string): Promise<SiteFile> {
  const of = (ending: string) => readFile(join(folder, `${path}${ending}`)).catch(() => null);
  const [identity, br, gz] = await Promise.all([
    readFile(join(folder, path)),
    of('.br'),
    of('.gz'),
  ]);
  const isForever = path.split(sep)[0] === 'assets';
  return fileOf(extname(path), identity, { isForever, br, gzip: gz });
}

async function indexOf(page: string, settings: SiteSettings): Promise<SiteFile> {
  const text = JSON.stringify(settings).replaceAll('"', '&quot;');
  const meta = `<meta name="voelgoed" content="${text}" />`;
  const identity = Buffer.from(page.replace(SETTINGS, meta));
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(identity),
    promisify(gzip)(identity),
  ]);
  return fileOf('.html', identity, { isForever: false, br, gzip: gz });
}

function fileOf(
  ending: string,
  identity: Buffer,
  rest: Pick<SiteFile, 'isForever' | 'br' | 'gzip'>,
): SiteFile {
  const hash = createHash('sha256').update(identity).digest('base64url').slice(0, 22);
  return {
    type: TYPES[ending] ?? 'application/octet-stream',
    etag: `"${hash}"`,
    identity,
    ...rest,
  };
}
