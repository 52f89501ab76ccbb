import { type Bench, loadShare, strangeFigure, type Turn, takeTurn, withCast } from '#contest';
import { type Figure, figureOf, median, percentile } from '#measure';
import type { Memory, OwnNode, Pulse } from '#node';

const SUITE = 'soak';
const SEATS = 20_000;
const CONNECTIONS = 128;
/** Between two visits of the same connection: about half of what a node can do. */
const PAUSE_MS = 500;
/** At least so many windows, however short it is; at most so long is one. */
const FEWEST_WINDOWS = 6;
const WINDOW_MS = 60_000;
/** Windows that are the beginning and the end. */
const EDGE = 2;
const MEGABYTE = 1_000_000;
/** It may keep what it has read and compiled; it may not keep what has passed. */
const NO_LEAK = { below: 1.1 };
const NO_MORE = { below: 1.5 };

type Window = Readonly<{ turn: Turn; pulse: Pulse; memory: Memory }>;

export function soakSuite(bench: Bench, minutes: number): Promise<Figure[]> {
  return withCast(bench, { name: SUITE }, async ({ node, load }) => {
    const { halls, stage, tell } = bench;
    const hall = await halls.of(SEATS);
    await halls.welcome(load, hall);
    const { eventId } = await halls.sale(hall);
    const aim = { address: node.address, eventId, seatIds: hall.seatIds, keys: false };
    await fetch(`${node.address}/api/events/${eventId}/availability`);
    const all_ms = minutes * 60_000;
    const lasts_ms = Math.min(WINDOW_MS, all_ms / FEWEST_WINDOWS);
    const count = Math.round(all_ms / lasts_ms);
    const play = { kind: 'on-sale', givesBack: true } as const;
    const windows: Window[] = [];
    const options = { aim, play, connections: CONNECTIONS, lasts_ms, pause_ms: PAUSE_MS };
    const cast = { stage, load, servers: [node] };
    for (let window = -1; window < count; window++) {
      tell(window < 0 ? 'warming up' : `window ${window + 1} of ${count}`);
      await node.pulse();
      const turn = await takeTurn(cast, options);
      const seen = await look(node, turn);
      if (window >= 0) windows.push(seen);
    }
    const results = new Map([['soak', windows.map(({ turn }) => turn)]]);
    return [
      ...figuresOf(windows, minutes),
      loadShare(SUITE, [results]),
      strangeFigure(SUITE, [results]),
    ];
  });
}

async function look(node: OwnNode, turn: Turn): Promise<Window> {
  const pulse = await node.pulse();
  return { turn, pulse, memory: await node.memory() };
}

export function figuresOf(windows: readonly Window[], minutes: number): Figure[] {
  const edges = (
    name: string,
    unit: string,
    pick: (window: Window) => number,
    target?: { below: number },
  ): Figure[] => {
    const first = windows.slice(0, EDGE).map(pick);
    const last = windows.slice(-EDGE).map(pick);
    // Less than one of it is nothing, and nothing has no ratio.
    const ratio = Math.max(1, median(last)) / Math.max(1, median(first));
    return [
      figureOf(first, { suite: SUITE, name: `${name}, at the beginning`, unit }),
      figureOf(last, { suite: SUITE, name: `${name}, at the end`, unit }),
      figureOf([ratio], {
        suite: SUITE,
        name: `${name}, end to beginning`,
        unit: 'x',
        ...(target ? { target } : {}),
      }),
    ];
  };
  return [
    figureOf(
      windows.map(({ turn }) => turn.per_s),
      { suite: SUITE, name: `requests, ${minutes} minutes`, unit: '/s' },
    ),
    ...edges('kept on the heap', 'MB', ({ memory }) => memory.heap / MEGABYTE, NO_LEAK),
    ...edges('memory of the node', 'MB', ({ memory }) => memory.rss / MEGABYTE),
    ...edges('sockets, timers and the like', '', ({ pulse }) => pulse.resources, NO_MORE),
    ...edges('the loop is late, 99 % within', 'ms', ({ pulse }) => pulse.lag_p99_ms, NO_MORE),
    ...edges('a hold, 95 % within', 'ms', ({ turn }) => percentile(turn.steps.hold ?? [], 95)),
    ...windows.map(({ memory }, index) =>
      figureOf([memory.heap / MEGABYTE], {
        suite: SUITE,
        name: `window ${index + 1}, kept on the heap`,
        unit: 'MB',
        point: { along: 'windows, kept on the heap', at: index + 1 },
      }),
    ),
  ];
}
