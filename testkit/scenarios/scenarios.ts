/**
 * Scenarios: `npm run faults [names…]`. Each lets a crowd loose on three real nodes, does what
 * disasters do, and says of every invariant whether it held. It knows the disasters and the order
 * of an evening; the rig builds and judges. `check FILE…` judges histories that are there already.
 * The exit code is 1 when a promise was broken, and nothing is left running.
 */
import { reasonOf } from '@voelgoed/engine/kit';
import { checkFiles } from './check-files.ts';
import { readOptions, USAGE } from './options.ts';
import { runAll } from './run-all.ts';

async function main(): Promise<boolean> {
  const args = process.argv.slice(2);
  if (args[0] === 'check') return checkFiles(args.slice(1));
  const options = readOptions(args);
  if (options.kind === 'problem') {
    console.error(`${options.problem}\n${USAGE}`);
    return false;
  }
  if (options.kind === 'list') {
    console.log(options.text);
    return true;
  }
  return runAll(options);
}

main()
  .then((isGood) => {
    if (!isGood) process.exitCode = 1;
  })
  .catch((error: unknown) => {
    console.error(reasonOf(error));
    process.exitCode = 1;
  })
  // The workshop's thread and the channel to the wrapper would keep this process alive.
  .finally(() => process.exit());
