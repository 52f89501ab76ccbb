/**
 * A node of the rig: the start command as everybody runs it, in a process whose number is its own,
 * whose event loop can be stalled, and on a machine whose clock may be wrong.
 */
import { pathToFileURL } from 'node:url';
import { systemClock } from '@voelgoed/engine/kit';
import { type Stall, stallLoop } from '@voelgoed/faults/attacks';

const { now } = systemClock;
const shift_ms = Number(process.env.CLOCK_SHIFT_MS ?? 0);
systemClock.now = () => now() + shift_ms;
// Whoever started us is gone: nobody would ever stop us.
process.on('disconnect', () => process.exit());
process.on('message', ({ phase, ms }: Stall) => stallLoop(phase, ms));

await import(pathToFileURL(process.argv[2] ?? '').href);
