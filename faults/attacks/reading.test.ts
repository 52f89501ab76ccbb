import { describe, expect, it } from 'vitest';
import { readAnswer } from './answers.ts';

function answer(status: string, body: string, length = body.length): string {
  const headers = `content-type: application/json\r\ncontent-length: ${length}\r\n`;
  return `HTTP/1.1 ${status}\r\n${headers}\r\n${body}`;
}

const STREAM = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n';
const LATE = '{"error":"invalid_request"}';

describe('reading an answer strictly', () => {
  it.each([
    ['a refusal', answer('400 Bad Request', LATE), '400 invalid_request'],
    ['what was asked for', answer('200 OK', '{"data":1}'), '200 done'],
    ['a stream', `${STREAM}data: 1\n\n`, 'stream'],
  ])('%s is one whole answer', (_, text, said) => {
    expect(readAnswer(text)).toEqual({ answer: said, problems: [] });
  });

  it.each([
    ['nothing', ''],
    ['half a head', 'HTTP/1.1 200 OK\r\ncontent-le'],
    ['half a body', answer('400 Bad Request', LATE.slice(0, 9), LATE.length)],
    ['two answers', answer('400 Bad Request', LATE) + answer('400 Bad Request', LATE)],
    ['the status of one and the body of another', answer('401 Unauthorized', LATE)],
    ['a refusal without its body', answer('503 Service Unavailable', '{"data":1}')],
    ['an answer inside a stream', `${STREAM}${answer('400 Bad Request', LATE)}`],
    ['a header twice', answer('400 Bad Request\r\ncontent-length: 9', LATE)],
  ])('%s is not', (_, text) => {
    expect(readAnswer(text).problems).not.toEqual([]);
  });
});
