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

function aLogger(level: string) {
  const lines: string[] = [];
  const logger = pino({ level, base: { node: 'a' } }, { write: (text) => void lines.push(text) });
  return { logger, lines };
}

it('a line says what the logger would have said', () => {
  const [ours, theirs] = [aLogger('info'), aLogger('info')];
  requestLines(ours.logger)(LINE);
  theirs.logger.info(LINE, 'request');
  const read = ([text = '']: string[]) => {
    const { time, ...rest } = JSON.parse(text) as Record<string, unknown>;
    return { names: Object.keys({ ...rest, time }).sort(), rest, isTime: typeof time === 'number' };
  };
  expect(read(ours.lines)).toEqual(read(theirs.lines));
  expect(ours.lines[0]?.endsWith('\n')).toBe(true);
});

it.each(['warn', 'error', 'fatal', 'silent'])('nothing is written at the level %s', (level) => {
  const { logger, lines } = aLogger(level);
  requestLines(logger)(LINE);
  expect(lines).toEqual([]);
});

it.each(['info', 'debug', 'trace'])('a line is written at the level %s', (level) => {
  const { logger, lines } = aLogger(level);
  requestLines(logger)(LINE);
  expect(lines).toHaveLength(1);
});
