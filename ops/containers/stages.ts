import { cp, mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type Instruction, OPS, readDockerfile } from './dockerfile.ts';
import { outcomeOf } from './programs.ts';

const ROOT = resolve(OPS, '..');
const PACKAGE_LINE = /^add (\S+) \d/gm;

export type Stage = Readonly<{ name: string; folder: string }>;

type Build = Readonly<{
  stage: Stage;
  earlier: readonly Stage[];
  ignored: readonly RegExp[];
  /** Where npm is found. */
  path: string;
}>;

/**
 * Builds every stage of the Dockerfile as Docker would, each in an empty folder: it copies what
 * COPY names and .dockerignore allows, and runs what RUN says. Only the base image is missing, and
 * `npm ci` links the packages that are installed here instead of loading them again.
 */
export async function buildStages(folder: string, path: string): Promise<Stage[]> {
  const ignored = await readIgnored();
  const stages: Stage[] = [];
  for (const [index, instructions] of (await readDockerfile()).entries()) {
    const [from] = instructions;
    const name = /\sAS\s+(\S+)$/i.exec(from?.rest ?? '')?.[1] ?? String(index);
    const stage = { name, folder: join(folder, name) };
    await mkdir(stage.folder, { recursive: true });
    for (const instruction of instructions) {
      await follow(instruction, { stage, earlier: stages, ignored, path });
    }
    stages.push(stage);
  }
  return stages;
}

async function follow({ name, rest }: Instruction, build: Build): Promise<void> {
  if (name === 'COPY') return copy(rest.split(/\s+/), build);
  if (name === 'RUN') return run(rest.split(/\s+/), build);
  if (name === 'WORKDIR' && rest !== '/app') throw new Error(`a stage works in /app, not ${rest}`);
}

async function copy(words: readonly string[], { stage, earlier, ignored }: Build): Promise<void> {
  const from = /^--from=(.+)$/.exec(words[0] ?? '')?.[1];
  const paths = from === undefined ? words : words.slice(1);
  const target = paths.at(-1) ?? '';
  for (const source of paths.slice(0, -1)) {
    const context = from === undefined ? ROOT : folderOf(from, earlier);
    const file = join(context, from === undefined ? source : relative('/app', source));
    const isInside = (await stat(file)).isFile() && (target.endsWith('/') || target === '.');
    const to = join(stage.folder, target, isInside ? basename(file) : '');
    const filter = (path: string) =>
      from !== undefined || !ignored.some((pattern) => pattern.test(relative(ROOT, path)));
    await mkdir(dirname(to), { recursive: true });
    await cp(file, to, { recursive: true, verbatimSymlinks: true, filter });
  }
}

function folderOf(name: string, stages: readonly Stage[]): string {
  const stage = stages.find((one) => one.name === name);
  if (!stage) throw new Error(`COPY --from=${name}: no stage before has this name`);
  return stage.folder;
}

async function run(words: readonly string[], { stage, path }: Build): Promise<void> {
  const place = { cwd: stage.folder, path };
  if (words[0] === 'npm' && words[1] === 'ci') return linkPackages(words.slice(2), place);
  const { code, output } = await outcomeOf(words, place);
  if (code !== 0) throw new Error(`RUN ${words.join(' ')} failed in ${place.cwd}: ${output}`);
}

/** npm itself says what it would install here with these options. */
async function linkPackages(
  options: readonly string[],
  place: Readonly<{ cwd: string; path: string }>,
): Promise<void> {
  const folder = place.cwd;
  const dry = ['npm', 'ci', '--dry-run', '--offline', '--loglevel=error', ...options];
  const { code, output } = await outcomeOf(dry, place);
  const names = new Set([...output.matchAll(PACKAGE_LINE)].map(([, name = '']) => name));
  if (code !== 0 || names.size === 0) throw new Error(`npm ci would fail in ${folder}: ${output}`);
  for (const name of names) {
    const own = name.startsWith('@voelgoed/') ? join(folder, basename(name)) : null;
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(own ? relative(dirname(link), own) : join(ROOT, 'node_modules', name), link);
  }
}

/** Lines such as `**\/node_modules` and `.data`, as patterns of paths in the repository. */
async function readIgnored(): Promise<RegExp[]> {
  const text = await readFile(`${OPS}/Dockerfile.dockerignore`, 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const anywhere = line.startsWith('**/');
      const pattern = line.slice(anywhere ? 3 : 0).replace(/[.+^${}()|[\]\\]/g, '\\$&');
      const start = anywhere ? '(?:^|/)' : '^';
      return new RegExp(`${start}${pattern.replaceAll('*', '[^/]*')}(?:/|$)`);
    });
}

/** What a program could have written: every file of a stage with its time, without packages. */
export async function filesOf(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name !== 'node_modules');
  const lists = names.map(async (name) => {
    const path = join(folder, name);
    const found = await stat(path);
    const inside = found.isDirectory() ? await filesOf(path) : [];
    return [`${path} ${found.mtimeMs}`, ...inside];
  });
  return (await Promise.all(lists)).flat().sort();
}
