import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { useDatabase } from '@voelgoed/testkit/database';
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

const database = useDatabase();
const node = useNode(database, { DEMO: '0', ...SETTINGS });
let consumer: Consumer;

beforeAll(async () => {
  consumer = await aConsumer();
}, 180_000);

afterAll(() => consumer?.remove());

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
  it('leads to tickets with curl and with the client, and to messages that are genuine', async () => {
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
