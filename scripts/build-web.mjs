// Builds the web app when its sources have changed since the last build. The hash of all sources
// decides, not their times: a fresh clone, a merge and a switched branch are all the same.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const web = join(root, 'web');
const dist = join(web, 'dist');
const SOURCES = ['client', 'web', 'package-lock.json', 'scripts/build-web.mjs'];
const NOT_SOURCES = /(?:^|\/)(?:node_modules|dist|building-\d+(?:-old)?)(?:\/|$)|\.test\.ts$/;
/** What is worth compressing; pictures are already. */
const TEXT = /\.(?:html|js|css|svg|webmanifest|json|map)$/;

function filesUnder(path) {
  try {
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path];
    throw error;
  }
}

function sourceHash() {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0]);
  const files = SOURCES.flatMap((source) => filesUnder(join(root, source)))
    .map((file) => file.slice(root.length + 1))
    .filter((file) => !NOT_SOURCES.test(file))
    .sort();
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function stamp() {
  try {
    return readFileSync(join(dist, '.sources'), 'utf8');
  } catch {
    return '';
  }
}

async function compress(folder) {
  const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  const files = filesUnder(folder).filter((file) => TEXT.test(file));
  await Promise.all(
    files.map(async (file) => {
      const bytes = readFileSync(file);
      writeFileSync(`${file}.br`, await promisify(brotliCompress)(bytes, best));
      writeFileSync(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
    }),
  );
}

/** By two renames: deleting takes long enough for somebody to read half of it. */
function replaceDist(outDir) {
  const old = `${outDir}-old`;
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(outDir, dist);
  rmSync(old, { recursive: true, force: true });
}

/** Elsewhere first and then moved: whoever serves or builds meanwhile sees all or nothing. */
async function build(hash) {
  const outDir = join(web, `building-${process.pid}`);
  try {
    const { build } = await import('vite');
    const configFile = join(web, 'vite.config.ts');
    await build({ configFile, logLevel: 'warn', build: { outDir, emptyOutDir: true } });
    const element = { outDir: join(outDir, 'element'), emptyOutDir: true };
    const elementFile = join(web, 'element.config.ts');
    await build({ configFile: elementFile, logLevel: 'warn', build: element });
    await compress(outDir);
    writeFileSync(join(outDir, '.sources'), hash);
    // Two starts at once: whoever was first may be serving it already.
    if (stamp() === hash) return;
    replaceDist(outDir);
  } catch (error) {
    if (stamp() !== hash) throw error;
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}

const hash = sourceHash();
if (stamp() !== hash) {
  console.log('Building the web app (a few seconds) …');
  await build(hash);
}
