// `npm run nightly`: what takes longer than a developer waits, with seeds that were never tried.
// The whole suite with a random seed, the simulator, all fault scenarios and the fuzzer, one after
// the other. Every part prints the seed or the command that repeats a failure; the table at the
// end says which failed, and the exit code is 1 when one did. `--minutes N` is for the simulator.
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) {
  console.error(`--minutes: "${values.minutes}" is not a number above 0`);
  process.exit(1);
}

const PARTS = [
  { args: ['test'], env: { SEED: 'random' } },
  { args: ['run', 'simulate', '--', '--seconds', String(Math.ceil(minutes * 60))] },
  { args: ['run', 'faults', '--', '--seconds', '20'] },
  { args: ['run', 'fuzz', '--', '--requests', '20000'] },
];

/** The part that runs gets the signals; the rest is not begun. */
let isInterrupted = false;

function run({ args, env = {} }) {
  const started = process.hrtime.bigint();
  const child = spawn('npm', args, { stdio: 'inherit', env: { ...process.env, ...env } });
  const pass = (signal) => {
    isInterrupted = true;
    child.kill(signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, pass);
  return new Promise((resolve) => {
    child.once('close', (code) => {
      for (const signal of signals) process.off(signal, pass);
      const minutes = Number(process.hrtime.bigint() - started) / 60e9;
      resolve({ ok: code === 0, line: `npm ${args.join(' ')} (${minutes.toFixed(1)} min)` });
    });
  });
}

const done = [];
for (const part of PARTS) if (!isInterrupted) done.push(await run(part));
console.log('');
for (const { ok, line } of done) console.log(`${ok ? '✓' : '✗'} ${line}`);
process.exit(done.length === PARTS.length && done.every(({ ok }) => ok) ? 0 : 1);
