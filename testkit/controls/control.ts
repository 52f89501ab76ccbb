import { describe, expect, it } from 'vitest';
import { type GuardName, guardOf } from './guards.ts';

/** The guards that are off in one telling of a story. */
export type Off = ReadonlySet<GuardName>;

/**
 * One story, told with a guard and without it. `story` says what went wrong, in words. With every
 * guard nothing does. Where others stand behind the guard, each of them is enough: only when all
 * are off the harm happens, and is seen.
 */
export function control(
  name: GuardName,
  story: (off: Off) => Promise<readonly string[]> | readonly string[],
): void {
  const { behind, sees } = guardOf(name);
  describe(`control: ${name}`, () => {
    it('on, nothing is wrong', async () => {
      expect(await story(new Set())).toEqual([]);
    });

    for (const other of behind) {
      const off = new Set([name, ...behind].filter((one) => one !== other));
      it(`off, ${other} is enough to keep it right`, async () => {
        expect(await story(off)).toEqual([]);
      });
    }

    const together = behind.length > 0 ? ` together with ${behind.join(', ')}` : '';
    it(`off${together}, it is seen: ${sees}`, async () => {
      const harm = await story(new Set([name, ...behind]));
      expect(harm.join('\n')).toContain(sees);
    });
  });
}
