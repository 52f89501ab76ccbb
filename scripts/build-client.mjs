// Builds the client package for publishing into client/dist, and says how large it is.
import { fileURLToPath } from 'node:url';
import { buildPackage } from '@voelgoed/client/packing';

const folder = fileURLToPath(new URL('../client/dist', import.meta.url));
const { files, bytes, gzip_bytes } = buildPackage(folder);
const kilobytes = (size) => `${(size / 1024).toFixed(1)} kB`;
console.log(`${files.length} files in client/dist`);
console.log(`code ${kilobytes(bytes)}, compressed ${kilobytes(gzip_bytes)}`);
