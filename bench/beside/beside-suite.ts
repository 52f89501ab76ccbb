import { readFile } from 'node:fs/promises';
import {
  type Bench,
  type Contestant,
  figuresOf,
  loadShare,
  ratioOf,
  runContest,
  settingsOf,
  strangeFigure,
  withCast,
} from '#contest';
import type { Figure } from '#measure';

const SUITE = 'beside';
const SEATS = 100_000;
const OURS = 'this server';
const THEIRS = 'the other one';

/** Who is measured beside us, and how one asks them for a seat. */
export type Stranger = Readonly<{
  url: string;
  pid: number;
  path: string;
  body: string;
  status: number;
  /** A file with an id on each line; null: seats have numbers from 1 on. */
  seats: string | null;
  connections: number;
}>;

type Options = Readonly<Record<string, string | boolean | undefined>>;

/** From the command line; a sentence says what is missing. */
export function strangerOf(options: Options): Stranger {
  const text = (name: string, usual: string | null = null) => {
    const value = options[name] ?? usual;
    if (typeof value === 'string') return value;
    throw new Error(`beside needs --${name} (--url URL --path PATH [--body JSON] [--pid PID])`);
  };
  return {
    url: text('url'),
    path: text('path'),
    body: text('body', '{}'),
    pid: Number(text('pid', '0')),
    status: Number(text('status', '201')),
    seats: typeof options.seats === 'string' ? options.seats : null,
    connections: Number(text('connections', '64')),
  };
}

export function besideSuite(bench: Bench, quick: boolean, stranger: Stranger): Promise<Figure[]> {
  const { connections } = stranger;
  return withCast(bench, { name: SUITE }, async ({ node, load }) => {
    const { halls } = bench;
    const hall = await halls.of(SEATS);
    await halls.welcome(load, hall);
    const left = await seatsOf(stranger);
    const contestants: Contestant[] = [
      {
        name: OURS,
        servers: [node],
        prepare: async () => {
          const { eventId } = await halls.sale(hall);
          await fetch(`${node.address}/api/events/${eventId}/availability`);
          const aim = { address: node.address, eventId, seatIds: hall.seatIds, keys: false };
          return { aim, play: { kind: 'reserve' }, connections };
        },
      },
      {
        name: THEIRS,
        reference: true,
        servers: [{ address: stranger.url, pid: stranger.pid }],
        prepare: async () => {
          const { path, body, status } = stranger;
          const seatIds = left.splice(0, shareOf(left.length));
          const aim = { address: stranger.url, eventId: '', seatIds, keys: false };
          return { aim, play: { kind: 'foreign', path, body, status }, connections };
        },
      },
    ];
    const title = `${connections} connections`;
    const results = await runContest(bench, load, contestants, { ...settingsOf(quick), title });
    return [
      ...figuresOf({ suite: SUITE, title, what: 'holds' }, contestants, results),
      ratioOf(results, [OURS, THEIRS], { suite: SUITE, name: `${OURS} to ${THEIRS}` }),
      loadShare(SUITE, [results]),
      strangeFigure(SUITE, [results]),
    ];
  });
}

/** Its seats are never asked for twice, so that every turn gets a part of what is left. */
function shareOf(left: number): number {
  return Math.ceil(left / 4);
}

async function seatsOf({ seats }: Stranger): Promise<string[]> {
  if (seats === null) return Array.from({ length: SEATS }, (_, index) => String(index + 1));
  return (await readFile(seats, 'utf8')).split('\n').filter((line) => line !== '');
}
