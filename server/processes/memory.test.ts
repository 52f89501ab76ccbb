import { execFileSync } from 'node:child_process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, describe, expect, it } from 'vitest';
import { suitMemory } from './memory.ts';

const RUNTIMES = Buffer.poolSize;
/** Each is all that is left of what was made around it. */
const KEPT = 200;
const HASH = 'a'.repeat(64);

/** Twice: the second one waits for what the first has left to another thread. */
function collect(): void {
  setFlagsFromString('--expose-gc');
  const once = runInNewContext('gc') as () => void;
  once();
  once();
}

/** What some hashes cost that outlive everything that was made at the same time. */
function bytesKept(): number {
  collect();
  const before = process.memoryUsage().arrayBuffers;
  const kept: Buffer[] = [];
  for (let index = 0; index < KEPT; index++) {
    kept.push(Buffer.from(HASH, 'hex'));
    for (let other = 0; other < RUNTIMES / 32; other++) Buffer.from(HASH, 'hex');
  }
  collect();
  const bytes = process.memoryUsage().arrayBuffers - before;
  return kept.length === KEPT ? bytes : Number.NaN;
}

describe('memory of a node', () => {
  afterAll(() => {
    Buffer.poolSize = RUNTIMES;
  });

  it('does not keep 64 KiB for a few bytes', () => {
    suitMemory();
    // The piece that was begun before is used up first.
    for (let other = 0; other < RUNTIMES / 32; other++) Buffer.from(HASH, 'hex');
    expect(bytesKept()).toBeLessThan(KEPT * 2_048);
  });

  it('asks for nothing that the runtime does not know', () => {
    const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
    expect(options).toContain('--allocation-site-pretenuring ');
  });

  it('control: the runtime’s own pieces are kept whole', () => {
    Buffer.poolSize = RUNTIMES;
    expect(bytesKept()).toBeGreaterThan(KEPT * RUNTIMES * 0.9);
  });
});
