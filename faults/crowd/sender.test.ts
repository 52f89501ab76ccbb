import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '@voelgoed/engine/kit';
import { expect, it } from 'vitest';
import { Sender } from './sender.ts';

it('writes a history of one run, also where there was another one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'voelgoed-sender-'));
  try {
    const historyFile = join(folder, 'chaos-1.ndjson');
    await writeFile(historyFile, '{"kind":"mark","name":"of an earlier run","at_ms":1}\n');
    const secrets = { authSecret: 'a', paymentSecret: 'b' };
    const stage = {
      organizations: [],
      addresses: [],
      ...secrets,
      historyFile,
      seed: 1,
      slow_ms: 0,
    };
    const sender = new Sender(stage, seededRandom(1));
    sender.mark('fault');
    sender.close();
    const lines = (await readFile(historyFile, 'utf8')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).name)).toEqual(['fault']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
