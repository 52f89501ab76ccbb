import { pino } from 'pino';
import { expect, it } from 'vitest';
import { requestLines } from './request-lines.ts';

const LINE = {
  request_id: '0191d0a8-0000-7000-8000-000000000001',
  method: 'POST',
  route: '/api/events/:event_id/holds',
  status: 201,
  seconds: 0.0125,
};

/** Lines of a turn are written at its end. */
const turn = () => new Promise<void>((done) => setImmediate(done));

function aLogger(level: string) {
  const lines: string[] = [];
  const logger = pino({ level, base: { node: 'a' } }, { write: (text) => void lines.push(text) });
  return { logger, lines };
}

it('a line says what the logger would have said', async () => {
  const [ours, theirs] = [aLogger('info'), aLogger('info')];
  requestLines(ours.logger)(LINE);
  await turn();
  theirs.logger.info(LINE, 'request');
  const read = ([text = '']: string[]) => {
    const { time, ...rest } = JSON.parse(text) as Record<string, unknown>;
    return { names: Object.keys({ ...rest, time }).sort(), rest, isTime: typeof time === 'number' };
  };
  expect(read(ours.lines)).toEqual(read(theirs.lines));
  expect(ours.lines[0]?.endsWith('\n')).toBe(true);
});

it.each([
  [0, '0.000000'],
  [4e-7, '0.000000'],
  [0.0000123456, '0.000012'],
  [0.9999996, '1.000000'],
  [3.2, '3.200000'],
  [61.000001, '61.000001'],
])('%d seconds are spelled %s', async (seconds, text) => {
  const { logger, lines } = aLogger('info');
  requestLines(logger)({ ...LINE, seconds });
  await turn();
  expect(lines[0]).toContain(`"seconds":${text},`);
});

it.each(['warn', 'error', 'fatal', 'silent'])(
  'nothing is written at the level %s',
  async (level) => {
    const { logger, lines } = aLogger(level);
    requestLines(logger)(LINE);
    await turn();
    expect(lines).toEqual([]);
  },
);

it.each(['info', 'debug', 'trace'])('a line is written at the level %s', async (level) => {
  const { logger, lines } = aLogger(level);
  requestLines(logger)(LINE);
  await turn();
  expect(lines).toHaveLength(1);
});

it('lines of one turn are written together, in their order', async () => {
  const { logger, lines } = aLogger('info');
  const write = requestLines(logger);
  for (const status of [200, 201, 409]) write({ ...LINE, status });
  await turn();
  write({ ...LINE, status: 404 });
  await turn();
  const statuses = lines.map((text) => [...text.matchAll(/"status":(\d+)/g)].map(([, one]) => one));
  expect(statuses).toEqual([['200', '201', '409'], ['404']]);
});
