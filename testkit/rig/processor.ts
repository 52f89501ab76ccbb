import { readdirSync, readFileSync } from 'node:fs';

/** Of the kernel's clock. */
const TICKS_PER_S = 100;

/** What the machine and we ourselves have used of the processor so far, in seconds. */
export type Used = Readonly<{ own_s: number; idle_s: number }>;

/** Our own process and everything that it has started, and the machine's idle time. Linux only. */
export function processorUsed(): Used {
  const parents = new Map<number, { parent: number; ticks: number }>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const fields = statOf(name);
    if (!fields) continue;
    const ticks = Number(fields[11]) + Number(fields[12]);
    parents.set(Number(name), { parent: Number(fields[1]), ticks });
  }
  let own = 0;
  for (const [pid, { ticks }] of parents) if (isOurs(pid, parents)) own += ticks;
  const [, , , , idle = '0'] = readFileSync('/proc/stat', 'utf8').split(/\s+/);
  return { own_s: own / TICKS_PER_S, idle_s: Number(idle) / TICKS_PER_S };
}

/** The name in brackets may contain spaces; what follows it does not. */
function statOf(pid: string): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

function isOurs(pid: number, parents: ReadonlyMap<number, { parent: number }>): boolean {
  let one: number | undefined = pid;
  while (one !== undefined && one > 1) {
    if (one === process.pid) return true;
    one = parents.get(one)?.parent;
  }
  return false;
}
