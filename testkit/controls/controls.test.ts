import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { GUARDS, withTable } from './controls.ts';

const ROOT = dirname(dirname(import.meta.dirname));
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const OWN = 'testkit/controls/controls.test.ts';

const tests = globSync('{client,web,engine,server,faults,ops,testkit}/*/*.test.ts', { cwd: ROOT });

/** What every test file calls controls, in the order of the files. */
function controlsIn(file: string, text: string): { file: string; name: string }[] {
  return [...text.matchAll(/^\s*control\(\s*(['"`])(.*?)\1/gm)].map(([, , name = '']) => {
    return { file, name };
  });
}
const controls = tests
  .filter((file) => file !== OWN)
  .flatMap((file) => controlsIn(file, read(file)));

describe('the list of guards', () => {
  it('names each once, and has all that were ever asked for', () => {
    const names = GUARDS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(ASKED_FOR));
  });

  it('has one control for each guard, in the file that it says, and none for anything else', () => {
    const listed = GUARDS.map(({ name, control }) => ({ file: control, name }));
    const order = (one: { name: string }, other: { name: string }) =>
      one.name < other.name ? -1 : 1;
    expect([...controls].sort(order)).toEqual([...listed].sort(order));
  });

  it('says where each lives, and the words are there', () => {
    for (const { name, file, words } of GUARDS) {
      expect([name, read(file).includes(words)]).toEqual([name, true]);
    }
  });

  it('names only guards that stand behind others, and none behind itself', () => {
    const names = GUARDS.map(({ name }) => name);
    for (const { name, behind } of GUARDS) {
      expect(names).toEqual(expect.arrayContaining([...behind]));
      expect(behind).not.toContain(name);
    }
  });

  it('is what people read (npm test -- testkit/controls -u)', async () => {
    const page = withTable(read('docs/proof.md'));
    await expect(page).toMatchFileSnapshot(join(ROOT, 'docs/proof.md'));
  });

  it('would notice a control that nobody has listed (control)', () => {
    const text = `describe('x', () => {\n  control('no such guard', story);\n});`;
    expect(controlsIn('x.test.ts', text)).toEqual([{ file: 'x.test.ts', name: 'no such guard' }]);
  });
});

const ASKED_FOR = [
  ...['event lock', 'revision guard', 'version check', 'seat_hold_id check', 'unique index'],
  ...['commit tag check', 'lineage', 'compare-and-delete', 'healing', 'publish after commit'],
  ...['unknown commits under the lock', 'idempotency in the commit', 'expiry before decide'],
  ...['paying not reapable', 'attempt check', 'gap detection', 'row level security', 'zone CHECK'],
  'reconcile before breaker close',
];

/**
 * Everything that a process can pass to the parts that guard. Each of these was looked at: none of
 * them turns a guard off. A new option has to be looked at as well, and then named here.
 */
const OPTIONS: readonly { file: string; type: string; options: readonly string[] }[] = [
  {
    file: 'engine/registry/seat-registry.ts',
    type: 'SeatRegistryOptions',
    // `turn`: when others have their turn, a port of the simulator.
    options: ['store', 'feed', 'claims', 'watch', 'demoHoldSeconds', 'limit_bytes', 'turn'],
  },
  {
    file: 'engine/registry/ports.ts',
    type: 'Tools',
    options: ['clock', 'random', 'telemetry'],
  },
  {
    file: 'engine/warm/warm-tier.ts',
    type: 'WarmTierOptions',
    options: [
      ...['url', 'clock', 'random', 'telemetry', 'otherwise', 'probe_ms', 'command_ms'],
      // Another Redis, and when others have their turn: both are ports of the simulator.
      ...['ways', 'turn'],
    ],
  },
  {
    file: 'engine/registry/postgres-feed.ts',
    type: 'PostgresFeedOptions',
    options: ['url', 'clock', 'random', 'telemetry', 'life_ms', 'listen'],
  },
  {
    file: 'engine/postgres/postgres.ts',
    type: 'PostgresOptions',
    options: [
      'appUrl',
      'jobsUrl',
      'writerUrl',
      'sizes',
      'wait_ms',
      'life_ms',
      'clock',
      'random',
      'telemetry',
    ],
  },
  {
    file: 'engine/redis/circuit.ts',
    type: 'CircuitOptions',
    options: ['clock', 'telemetry', 'probe_ms', 'probe'],
  },
  {
    file: 'server/processes/engine.ts',
    type: 'EngineSettings',
    options: [
      'connection_ms',
      'connectionWait_ms',
      'demoHoldSeconds',
      'redisProbe_ms',
      'redisCommand_ms',
    ],
  },
];

/** Parts that guard, and what each is made of where the product makes one. */
const MADE_OF: Readonly<Record<string, readonly string[]>> = {
  PostgresStore: ['engine.postgres', 'postgres'],
  Connection: ['client, clock, telemetry, {…}'],
  BoardSlot: ['event, this.#tools'],
  EventWriter: ['slot, this.#tools'],
  Claiming: ['options.claims'],
  RedisClaims: ['tools'],
  Watchman: ['{…}'],
  Circuit: ['{…}'],
  LiveMap: [''],
};

const tree = (file: string) => ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);

function nodesOf(root: ts.Node): ts.Node[] {
  const found: ts.Node[] = [root];
  ts.forEachChild(root, (child) => void found.push(...nodesOf(child)));
  return found;
}

/** The names that a type has itself, without those of the types it is joined with. */
function optionsOf(file: string, type: string): string[] {
  const alias = nodesOf(tree(file)).find(
    (node) => ts.isTypeAliasDeclaration(node) && node.name.text === type,
  );
  if (!alias) throw new Error(`${file} has no ${type}`);
  const literal = nodesOf(alias).find(ts.isTypeLiteralNode);
  return (literal?.members ?? []).map((member) => member.name?.getText() ?? '');
}

const product = globSync('{client,web,engine,server}/*/*.{ts,svelte}', { cwd: ROOT }).filter(
  (file) => !/(?:\.test|\/test-[^/]*)\.ts$/.test(file),
);

function madeIn(file: string): { name: string; from: string }[] {
  return nodesOf(tree(file)).flatMap((node) => {
    if (!ts.isNewExpression(node)) return [];
    const from = (node.arguments ?? []).map((one) =>
      ts.isObjectLiteralExpression(one) ? '{…}' : one.getText(),
    );
    return [{ name: node.expression.getText(), from: from.join(', ') }];
  });
}

describe('in production', () => {
  it.each(OPTIONS)('no option of $type turns a guard off', ({ file, type, options }) => {
    expect(optionsOf(file, type)).toEqual(options);
  });

  it('parts that guard are made of nothing but the parts that they need', () => {
    const makes = new RegExp(`new (?:${Object.keys(MADE_OF).join('|')})\\(`);
    const code = product.filter((file) => file.endsWith('.ts') && makes.test(read(file)));
    const made = code.flatMap(madeIn).filter(({ name }) => name in MADE_OF);
    const found = Object.keys(MADE_OF).map((name) => [
      name,
      [...new Set(made.filter((one) => one.name === name).map(({ from }) => from))].sort(),
    ]);
    expect(Object.fromEntries(found)).toEqual(MADE_OF);
  });

  it('statements are constants: nothing is put into them', () => {
    const guarding = GUARDS.map(({ file }) => file).filter((file) => file.endsWith('.sql.ts'));
    expect(guarding).not.toEqual([]);
    for (const file of new Set(guarding)) {
      const inserted = nodesOf(tree(file)).filter(ts.isTemplateExpression);
      expect([file, inserted.map((node) => node.getText())]).toEqual([file, []]);
    }
  });

  it('no file knows the kit that weakens them, nor a part made for tests', () => {
    const guilty = product.filter((file) =>
      /from '(?:@voelgoed\/(?:testkit|faults|bench)\/|\.\/test-)/.test(read(file)),
    );
    expect(guilty).toEqual([]);
    expect(product).toContain('server/processes/engine.ts');
  });

  it('nobody but the processes reads the environment, and no setting is a guard’s', () => {
    const readers = product.filter((file) => read(file).includes('process.env'));
    expect(readers.every((file) => file.startsWith('server/processes/'))).toBe(true);
    const settings = [...read('docs/operate.md').matchAll(/`([A-Z][A-Z_]{2,})`/g)].map(
      ([, name = '']) => name.toLowerCase(),
    );
    expect(settings.length).toBeGreaterThan(10);
    const words =
      /lock|guard|check(?!out)|lineage|heal|idempot|expir|tenan|rls|weak|unsafe|publish/;
    expect(settings.filter((name) => words.test(name))).toEqual([]);
  });
});
