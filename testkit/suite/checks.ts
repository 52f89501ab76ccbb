export type Check = Readonly<{ label: string; file: string; args: readonly string[] }>;

// Called by path: both compilers claim the same name in `.bin`. The older one is there for tools
// that read TypeScript through it (svelte-check, knip, the style rules); it would say nothing that
// the newer one does not, in four times the time.
const LINT: Check = {
  label: 'format and lint',
  file: 'node_modules/@biomejs/biome/bin/biome',
  args: ['check', '--error-on-warnings', '.'],
};
const TYPES: Check = {
  label: 'types',
  file: 'node_modules/ts7/lib/tsc.js',
  args: ['-p', '.'],
};
const WEB_TYPES: Check = {
  label: 'types of the web app (svelte-check)',
  file: 'node_modules/svelte-check/bin/svelte-check',
  args: ['--workspace', 'web', '--tsconfig', './tsconfig.json', '--fail-on-warnings'],
};
const DEAD_CODE: Check = {
  label: 'dead code',
  file: 'node_modules/knip/bin/knip.js',
  args: ['--no-progress'],
};

/** What is checked without running the product: two lists at a time, which take equally long. */
export const CHECKS: readonly (readonly Check[])[] = [
  [LINT, TYPES],
  [DEAD_CODE, WEB_TYPES],
];

/** What a change can break that no test of it would show, as far as a minute allows. */
export function checksOf(changed: readonly string[]): readonly (readonly Check[])[] {
  const lint = {
    ...LINT,
    args: [...LINT.args.slice(0, -1), '--no-errors-on-unmatched', ...changed],
  };
  return [[...(changed.length > 0 ? [lint] : []), TYPES]];
}
