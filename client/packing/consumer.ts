import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { buildPackage, type Packed } from './build-package.ts';

const run = promisify(execFile);

/** A project of somebody who has installed the package, and nothing else. */
export type Consumer = Readonly<{
  folder: string;
  packed: Packed;
  /** Where the machine's own Node is. */
  nodePath: string;
  /** Names of everything that was installed. */
  installed: readonly string[];
  write(name: string, text: string): void;
  /** Runs a file with the machine's own Node; what it printed. */
  node(file: string): Promise<string>;
  /** What a strict compiler says about files, with no other types than those of browsers. */
  complaints(files: readonly string[]): string[];
  remove(): void;
}>;

/** Builds, packs and installs as a publisher and a user would. */
export async function aConsumer(): Promise<Consumer> {
  const root = mkdtempSync(join(tmpdir(), 'voelgoed-package-'));
  const built = join(root, 'built');
  const folder = join(root, 'project');
  const packed = buildPackage(built);
  const quiet = ['--offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['pack', '--pack-destination', root, ...quiet], { cwd: built });
  const tarball = readdirSync(root).find((name) => name.endsWith('.tgz')) ?? '';
  await run('mkdir', [folder]);
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('package.json', '{"name": "project", "private": true, "type": "module"}');
  await run('npm', ['install', join(root, tarball), ...quiet], { cwd: folder });
  const modules = join(folder, 'node_modules');
  const installed = readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((one) => `${name}/${one}`) : name,
  );
  const nodePath = await ownNode();
  return {
    folder,
    packed,
    nodePath,
    installed: installed.filter((name) => !name.startsWith('.')),
    write,
    node: async (file) => (await run(nodePath, [file], { cwd: folder, timeout: 60_000 })).stdout,
    complaints: (files) => complaintsAbout(files.map((file) => join(folder, file))),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** The one that the machine has, not the one that the workspace brings along. */
async function ownNode(): Promise<string> {
  const { stdout } = await run('which', ['-a', 'node']);
  return stdout.split('\n').find((path) => path && !path.includes('node_modules')) ?? 'node';
}

function complaintsAbout(paths: readonly string[]): string[] {
  const program = ts.createProgram(paths, {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
    module: ts.ModuleKind.NodeNext,
    strict: true,
    noUncheckedIndexedAccess: true,
    // The package's own declarations are looked at, too.
    skipLibCheck: false,
    allowJs: true,
    checkJs: true,
    noEmit: true,
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ messageText, file }) =>
        `${file?.fileName.split('/').at(-1)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
}
