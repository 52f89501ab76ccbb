export type Check = Readonly<{ label: string; file: string; args: readonly string[] }>;

/**
 * What is checked without running the product, cheapest first. Called by path: both compilers claim
 * the same name in `.bin`.
 */
export const CHECKS: readonly Check[] = [
  {
    label: 'format and lint',
    file: 'node_modules/@biomejs/biome/bin/biome',
    args: ['check', '--error-on-warnings', '.'],
  },
  { label: 'types (TypeScript 7)', file: 'node_modules/ts7/lib/tsc.js', args: ['-p', '.'] },
  { label: 'types (TypeScript 6)', file: 'node_modules/typescript/lib/tsc.js', args: ['-p', '.'] },
  {
    label: 'types of the web app (svelte-check)',
    file: 'node_modules/svelte-check/bin/svelte-check',
    args: ['--workspace', 'web', '--tsconfig', './tsconfig.json', '--fail-on-warnings'],
  },
  { label: 'dead code', file: 'node_modules/knip/bin/knip.js', args: ['--no-progress'] },
];
