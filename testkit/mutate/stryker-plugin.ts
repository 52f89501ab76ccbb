import { relative } from 'node:path';
import { isMissed, survivorLine, type Verdict } from './score.ts';

/**
 * What Stryker loads of ours: it leaves assertions alone, and says at once what has survived, so
 * that a run that is stopped has not been in vain.
 */

type Node = Readonly<{ type: string; callee?: Readonly<{ name?: string }>; expression?: Node }>;

const isAssertion = ({ type, callee }: Node) =>
  type === 'CallExpression' && callee?.name === 'assert';

/** An assertion stops a bug. No input reaches it, so no test can show that it is gone. */
const assertions = {
  shouldIgnore({ node }: { node: Node }): string | undefined {
    // The whole statement, too: it can be left out.
    const { expression = node } = node;
    return isAssertion(expression) ? 'an assertion stops a bug' : undefined;
  },
};

/** Rules of this run; Stryker tells what it remembers of others as well. */
export const asked = new Set<string>();

class Survivors {
  onMutantTested(verdict: Verdict): void {
    if (!isMissed(verdict)) return;
    const fileName = relative(process.cwd(), verdict.fileName);
    if (asked.has(fileName)) console.log(survivorLine({ ...verdict, fileName }));
  }
}

/** @public Stryker looks for it by this name. */
export const strykerPlugins = [
  { kind: 'Ignore', name: 'assertions', value: assertions },
  { kind: 'Reporter', name: 'survivors', injectableClass: Survivors },
];
