import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { useDemoDatabase } from '@voelgoed/testkit/demos';
import { useNode } from '@voelgoed/testkit/servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aConsumer, type Consumer } from './consumer.ts';

/** The guide as somebody follows it: every file is saved, every command is run, in one go. */
const GUIDE = readFileSync(new URL('../../docs/integrate.md', import.meta.url), 'utf8');
const SCRIPT = [...GUIDE.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code = '']) => code).join('\n');
const FILES = [...GUIDE.matchAll(/as `([\w.]+)`.*?\n```(?:js|json)\n(.*?)^```$/gms)];
const SETTINGS = Object.fromEntries(
  [...SCRIPT.matchAll(/^export (\w+)=(\S+)/gm)].map(([, name = '', value = '']) => [name, value]),
);
/** What this test has done in its own way: started a node, and installed the package. */
const DONE = ['npm start', 'npm install @voelgoed/client'];

const database = useDemoDatabase();
const node = useNode(database, { DEMO: '1', ...SETTINGS });
let consumer: Consumer;

beforeAll(async () => {
  consumer = await aConsumer();
}, 180_000);

afterAll(() => consumer?.remove());

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const EXAMPLES = [...README.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = '']) => code);

/** Where the examples believe that the server is. */
const here = (code: string) => code.replaceAll('http://127.0.0.1:4000', node().address);

describe('the package', () => {
  it('comes alone, with code and types and nothing of the workspace', () => {
    expect(consumer.installed).toEqual(['@voelgoed/client']);
    const root = join(consumer.folder, 'node_modules/@voelgoed/client');
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest).not.toHaveProperty('private');
    expect(manifest.exports['.']).toEqual({
      types: './client/client.d.ts',
      default: './client/client.js',
    });
    for (const file of consumer.packed.files) {
      const text = readFileSync(join(root, file), 'utf8');
      expect([file, /node:|from ['"]#|\.ts['"]/.test(text)]).toEqual([file, false]);
    }
  });

  it('is small', () => {
    expect(consumer.packed.bytes).toBeLessThan(60_000);
    expect(consumer.packed.gzip_bytes).toBeLessThan(15_000);
  });

  it('has types that a strict compiler takes, and that refuse what is wrong', () => {
    consumer.write('good.ts', GOOD);
    consumer.write('bad.ts', BAD);
    EXAMPLES.forEach((code, index) => {
      consumer.write(exampleFile(index), here(code));
    });
    const files = ['good.ts', 'bad.ts', ...EXAMPLES.map((_, index) => exampleFile(index))];
    const complaints = consumer.complaints(files);
    // Only the compiler's list of words is older than the example.
    const isNew = (text: string) => text.includes('withResolvers');
    const others = complaints.filter((text) => !text.startsWith('bad.ts') && !isNew(text));
    expect(others).toEqual([]);
    const wrong = complaints.filter((text) => text.startsWith('bad.ts')).join('\n');
    for (const word of ["'seat'", "'number'", 'sideways', "'orphans'"]) {
      expect(wrong).toContain(word);
    }
  }, 120_000);

  it('runs on the machine’s own Node, which may be older than the server’s', async () => {
    consumer.write('version.mjs', 'console.log(process.versions.node)');
    expect(Number.parseInt(await consumer.node('version.mjs'), 10)).toBeGreaterThanOrEqual(20);
  });
});

const exampleFile = (index: number) => `example-${index + 1}.js`;

const GOOD = `
import { createClient, type Drawing, type HeldCart, isFailure, outcomeOf } from '@voelgoed/client';
const client = createClient({ address: 'https://seats.example', token: () => 'x' });
export const cart: Promise<HeldCart> = client.holds.create('e', { items: [{ seat_id: 's' }] });
export const drawing: Promise<Drawing> = client.events.seatmap('e');
export async function look(): Promise<number | string> {
  const outcome = await outcomeOf(client.holds.reserve('e', 's'));
  if (outcome.ok) return outcome.answer.held_until_unix;
  const { failure } = outcome;
  if (failure.code === 'hold_limit_reached') return failure.details.most;
  if (isFailure(failure, 'rate_limited', 'event_busy')) return failure.code;
  return failure.message;
}
`;

const BAD = `
import { createClient, isFailure } from '@voelgoed/client';
const client = createClient({ address: 'https://seats.example' });
client.holds.create('e', { items: [{ seat: 's' }] });
client.events.get(12);
client.scanner.scan('code', { direction: 'sideways' });
export const wrong = (error: unknown) => isFailure(error, 'timeout') && error.details.orphans;
`;

describe('the README', () => {
  it('has examples', () => expect(EXAMPLES.length).toBeGreaterThanOrEqual(8));

  it.each(EXAMPLES.map((code, index) => [index + 1, code] as const))(
    'has an example %d that runs',
    async (number, code) => {
      consumer.write(exampleFile(number - 1), here(code));
      await consumer.node(exampleFile(number - 1));
    },
    60_000,
  );
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (!address || typeof address === 'string') throw new Error('there is no free port');
  return address.port;
}

function bash(script: string): Promise<{ code: number | null; said: string }> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd: consumer.folder });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk;
    });
  }
  return new Promise((done) => child.once('close', (code) => done({ code, said })));
}

describe('the guide to integration', () => {
  it('leads to tickets with curl and the client, and to genuine messages', async () => {
    const port = await freePort();
    for (const [, name = '', text = ''] of FILES) consumer.write(name, text);
    const lines = SCRIPT.split('\n');
    expect(lines.filter((line) => DONE.includes(line))).toEqual(DONE);
    const script = lines
      .filter((line) => !DONE.includes(line))
      .join('\n')
      .replaceAll('http://127.0.0.1:4000', node().address)
      .replaceAll('5000', String(port));
    const stop = "trap 'kill $(jobs -p) 2> /dev/null || true' EXIT";
    const path = `PATH=${dirname(consumer.nodePath)}:$PATH`;
    const { code, said } = await bash([stop, path, script].join('\n'));
    expect(code, said).toBe(0);
    expect(said).toMatch(/^ready$/m);
    expect(said).toMatch(/^published$/m);
    expect(said).toMatch(/^completed$/m);
    expect(said.match(/^A-\d [A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}$/gm)).toHaveLength(2);
    expect(said.match(/^Standing [A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}$/gm)).toHaveLength(2);
    expect(said).toMatch(/^delivered$/m);
    for (const kind of ['test', 'seat_held', 'seat_sold']) {
      expect(said.split('\n')).toContain(`heard ${kind}`);
    }
  }, 120_000);
});
