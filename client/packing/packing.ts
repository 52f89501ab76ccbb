/**
 * Packing: makes the package that is published, from the sources that the workspace uses as they
 * are. It knows compilers and files; it is not part of the package. Shapes are written out as plain
 * types there, so that whoever installs it needs no other package, not even for its types.
 */
export { buildPackage } from './build-package.ts';
