import { scheduleOf } from './schedule.ts';
import { runSchedule } from './run.ts';
Error.stackTraceLimit=0;
for (let b=0;b<8;b++){ const t=process.cpuUsage(), w=performance.now(), th=(process as any).threadCpuUsage?.(); for(let s=0;s<100;s++) await runSchedule(scheduleOf(b*100+s,'safety')); const c=process.cpuUsage(t), tc=(process as any).threadCpuUsage?.(th); console.log('cpu',((c.user+c.system)/1e5).toFixed(2),'thread',tc?((tc.user+tc.system)/1e5).toFixed(2):'', 'wall',((performance.now()-w)/100).toFixed(2), process.memoryUsage().heapUsed>>20, 'MB'); }
