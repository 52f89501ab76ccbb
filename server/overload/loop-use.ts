import { performance } from 'node:perf_hooks';

/** How much of the time since the last call this process was at work instead of waiting, 0 to 1. */
export function loopUse(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}
