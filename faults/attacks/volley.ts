import { systemClock } from '@voelgoed/engine/kit';
import { readAnswer } from './answers.ts';
import { openBare } from './bare.ts';

/** One request on a connection of its own, and when its last byte is sent. */
export type Shot = Readonly<{ bytes: string; last_ms?: number }>;

export type Volley = Readonly<{
  requests: number;
  /** How often which answer was given. */
  answers: Readonly<Record<string, number>>;
  problems: readonly string[];
}>;

/** Nothing of a node takes longer than this, whatever is done to it here. */
const BOUND_MS = 20_000;

/**
 * Sends many requests at once, each on a connection of its own that is read to its end, and reads
 * every answer strictly. A stream is left after its first frame.
 */
export async function volley(address: string, shots: readonly Shot[]): Promise<Volley> {
  const texts = await Promise.all(shots.map((shot) => exchange(address, shot)));
  const answers: Record<string, number> = {};
  const problems: string[] = [];
  for (const text of texts) {
    const read = readAnswer(text);
    answers[read.answer] = (answers[read.answer] ?? 0) + 1;
    problems.push(...read.problems);
  }
  return { requests: shots.length, answers, problems };
}

async function exchange(address: string, { bytes, last_ms }: Shot): Promise<string> {
  const socket = openBare(address).setEncoding('utf8');
  let text = '';
  const over = new AbortController();
  socket.on('data', (chunk) => {
    text += chunk;
    // It would go on for ever.
    if (/text\/event-stream/.test(text) && text.includes('\n\n')) socket.end();
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const bound = systemClock.sleep(BOUND_MS, over.signal).then(
    () => socket.destroy(),
    () => {},
  );
  if (last_ms === undefined) socket.write(bytes);
  else {
    const connected = new Promise((resolve) => socket.once('connect', resolve));
    await Promise.race([connected, closed]);
    socket.write(bytes.slice(0, -1));
    await systemClock.sleep(last_ms);
    if (socket.writable) socket.write(bytes.slice(-1));
  }
  await closed;
  over.abort();
  await bound;
  return text;
}

/** Several volleys as one. */
export function together(volleys: readonly Volley[]): Volley {
  const answers: Record<string, number> = {};
  for (const one of volleys) {
    for (const [answer, count] of Object.entries(one.answers)) {
      answers[answer] = (answers[answer] ?? 0) + count;
    }
  }
  return {
    requests: volleys.reduce((sum, { requests }) => sum + requests, 0),
    answers,
    problems: volleys.flatMap(({ problems }) => problems),
  };
}
