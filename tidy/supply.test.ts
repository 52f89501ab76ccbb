import { describe, expect, it } from 'vitest';
import { readRepository } from './repository.ts';
import { secretsIn } from './secrets.ts';
import {
  type Lockfile,
  type Manifest,
  problemsOfManifest,
  problemsOfPackages,
  stoppedBy,
} from './supply.ts';

const sources = readRepository();
const textOf = (file: string) => sources.find((source) => source.file === file)?.text ?? '';
const manifests = sources.filter(({ file }) => /^(?:[\w-]+\/)?package\.json$/.test(file));

describe('packages of others', () => {
  it('have exact versions, checksums and open licences, and run nothing when installed', () => {
    const lock = JSON.parse(textOf('package-lock.json')) as Lockfile;
    expect(Object.keys(lock.packages).length).toBeGreaterThan(100);
    const stopped = stoppedBy(JSON.parse(textOf('package.json')) as Manifest);
    expect(problemsOfPackages(lock, stopped)).toEqual([]);
  });

  it('are asked for exactly, by every workspace', () => {
    expect(manifests.length).toBeGreaterThan(6);
    for (const { text } of manifests) {
      expect(problemsOfManifest(JSON.parse(text) as Manifest)).toEqual([]);
    }
  });

  const good = { version: '1.2.3', integrity: 'sha512-x', license: 'MIT' };
  it.each([
    ['a range', { ...good, version: '^1.2.3' }, /no exact version/],
    ['no checksum', { version: '1.2.3', license: 'MIT' }, /no checksum/],
    ['a weak checksum', { ...good, integrity: 'sha1-x' }, /no checksum/],
    ['another registry', { ...good, resolved: 'https://evil.example/x.tgz' }, /comes from/],
    ['code from a repository', { ...good, resolved: 'git+ssh://git@x.example/x' }, /comes from/],
    ['a closed licence', { ...good, license: 'UNLICENSED' }, /licence/],
    ['no licence', { version: '1.2.3', integrity: 'sha512-x' }, /licence/],
    ['a licence with a demand', { ...good, license: 'MIT AND GPL-3.0' }, /licence/],
    ['code when installed', { ...good, hasInstallScript: true }, /runs code/],
  ])('the control: %s is seen', (_, locked, problem) => {
    const path = 'node_modules/a/node_modules/b';
    const packages = { '': {}, 'node_modules/ok': good, [path]: locked };
    expect(problemsOfPackages({ packages })).toEqual([expect.stringMatching(problem)]);
  });

  it('the control: a version of thieves and a manifest that lets in more are seen', () => {
    const packages = { 'node_modules/chalk': { ...good, version: '5.6.1' } };
    expect(problemsOfPackages({ packages })).toHaveLength(1);
    const manifest = {
      name: 'x',
      dependencies: { a: '^1.0.0', b: '1.0.0', '@voelgoed/client': '*' },
      devDependencies: { c: 'latest', d: 'npm:typescript@7.0.2' },
      allowScripts: { e: true, f: false },
    };
    expect(problemsOfManifest(manifest)).toHaveLength(3);
  });
});

/** Each kind once, written so that this file itself has none. */
const PLANTED = [
  `-----BEGIN RSA PRIVATE ${'KEY'}-----`,
  `AKIA${'ABCDEFGHIJKLMNOP'}`,
  `ghp${'_'}${'a'.repeat(36)}`,
  `npm${'_'}${'a'.repeat(36)}`,
  `xoxb${'-'}1234567890-abc`,
  `AIza${'b'.repeat(35)}`,
  `sk_live${'_'}${'c'.repeat(24)}`,
  `eyJ${'hbGciOiJIUzI1NiJ9'}.eyJ${'zdWIiOiIxMjM0NTYifQ'}.${'d'.repeat(43)}`,
  `vk${'_'}${'0'.repeat(32)}_${'e'.repeat(43)}`,
  `whsec${'_'}${'f'.repeat(43)}`,
  `postgres://admin:${'s3cr3t-word'}@db.acme.com/x`,
];

describe('secrets', () => {
  it('are in no file of the repository', () => {
    expect(sources.flatMap(secretsIn)).toEqual([]);
  });

  it.each(PLANTED)('the control: one is seen and not repeated (%#)', (secret) => {
    const found = secretsIn({ file: 'x.ts', text: `first\nconst a = '${secret}';\n` });
    expect(found).toEqual([{ file: 'x.ts', line: 2, kind: expect.any(String) }]);
    expect(JSON.stringify(found)).not.toContain(secret.slice(8));
  });
});
