import { type Figure, figureOf, median } from '#measure';
import type { Turn, Weight } from './sse-suite.ts';

const SUITE = 'sse';
/** What a seat map may lag behind, by how many listen. */
const WITHIN: Readonly<Record<number, { below: number }>> = {
  1000: { below: 150 },
  5000: { below: 400 },
};
const NONE = { below: 0.001 };
const CONNECTION_KB = { below: 32 };

export function figuresOf(clients: number, turns: readonly Turn[]): Figure[] {
  const who = `${clients.toLocaleString('en')} listen`;
  const line = (
    name: string,
    unit: string,
    pick: (turn: Turn) => number,
    more: Partial<Pick<Figure, 'target' | 'note'>> = {},
  ) => figureOf(turns.map(pick), { suite: SUITE, name: `${who}, ${name}`, unit, ...more });
  const of = (pick: (turn: Turn) => number) => median(turns.map(pick)).toFixed(2);
  const server = of(({ server_cpus }) => server_cpus);
  const listeners = of(({ listener_cpus }) => listener_cpus);
  const load = of(({ load_cpus }) => load_cpus);
  const shares = `processors: server ${server}, listeners ${listeners}, clients ${load}`;
  const holds = [
    line('hold answered, half within', 'ms', ({ holds: { p50_ms } }) => p50_ms, { note: shares }),
    line('hold answered, 95 % within', 'ms', ({ holds: { p95_ms } }) => p95_ms),
    line('hold answered, 99 % within', 'ms', ({ holds: { p99_ms } }) => p99_ms),
    line('holds not 201', '', ({ holds: { failed } }) => failed, { target: NONE }),
  ];
  const target = WITHIN[clients];
  if (!target) return holds;
  return [
    line('answer to frame, half within', 'ms', ({ told }) => told.p50_ms),
    line('answer to frame, 95 % within', 'ms', ({ told }) => told.p95_ms, { target }),
    line('answer to frame, 99 % within', 'ms', ({ told }) => told.p99_ms),
    line('request to frame, 95 % within', 'ms', ({ sent }) => sent.p95_ms),
    line('frames', '/s', ({ frames }) => frames),
    line('missed a frame or were cut off', '', ({ broken }) => broken, { target: NONE }),
    ...holds,
  ];
}

export function memoryFigure({ rss_kB, heap_kB }: Weight): Figure {
  const note = `of it on the heap ${heap_kB.toFixed(1)} kB`;
  const name = 'memory of the server per connection';
  return figureOf([rss_kB], { suite: SUITE, name, unit: 'kB', target: CONNECTION_KB, note });
}
