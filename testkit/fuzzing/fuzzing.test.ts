import { expect, it } from 'vitest';
import { startProcess } from '#servers';
import { leftovers } from '#services';

it('leaves nothing running when it is interrupted', async () => {
  const before = await leftovers();
  const args = ['--requests', '1000000', '--seed', '1'];
  const { child, says, exited } = startProcess('testkit/fuzzing/fuzzing.ts', {}, args);
  await says(/1000000 requests, seed 1/);
  child.kill('SIGTERM');
  expect(await exited).not.toBe(0);
  expect((await leftovers()).filter((one) => !before.includes(one))).toEqual([]);
});
