import { scheduleOf } from './schedule.ts';
import { runSchedule } from './run.ts';
const [seed, mode, most='80'] = process.argv.slice(2);
const {problems, world}=await runSchedule(scheduleOf(+seed!, mode as any),{trace:true});
console.log(world.trace.lines.slice(-most).join('\n')); console.log(problems.slice(0,6).join('\n'), world.simulation.time_ms, world.schedule.faults.map(f=>f.kind+'@'+Math.round(f.at_ms)).join('; '));
