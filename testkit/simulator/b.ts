import { scheduleOf } from './schedule.ts';
import { runSchedule } from './run.ts';
const [n, mode, from='0'] = process.argv.slice(2);
Error.stackTraceLimit = process.env.STACK ? 20 : 0;
let bad=0, rev=0, steps=0, att=0; const warm=Math.min(100,+n);
let t=process.cpuUsage(), w=performance.now();
const seen = new Map();
for (let s=0;s<+n;s++){ 
  if (s===warm){ t=process.cpuUsage(); w=performance.now(); rev=steps=att=0;}
  const {problems, world}=await runSchedule(scheduleOf(+from+s, mode as any));
  rev+=world.database.event.revision; steps+=world.simulation.steps; att+=world.ops.reduce((a,o)=>a+o.attempts.length,0);
  if(problems.length){bad++; const k=problems[0]!.replace(/[0-9a-f]{8}-[0-9a-f-]+/g,'ID').replace(/\d+/g,'N').slice(0,120); if(!seen.has(k)) seen.set(k,[]); seen.get(k).push(+from+s);} }
const m=Math.max(1,+n-warm); const c=process.cpuUsage(t);
console.log('bad',bad,'cpu ms',(c.user+c.system)/1000/m,'wall', (performance.now()-w)/m,'rev',rev/m,'steps',steps/m,'att',att/m);
for (const [k,v] of [...seen].sort((a,b)=>b[1].length-a[1].length).slice(0,12)) console.log(v.length, v.slice(0,4).join(), k);
