import { ERRORS } from '@voelgoed/client/wire';

/** What came back on one connection, read strictly. */
export type Reading = Readonly<{
  /** In words: a status with its code, `stream`, or nothing. */
  answer: string;
  /** What is not as one whole answer has to be; empty: nothing. */
  problems: readonly string[];
}>;

const HEAD = /^HTTP\/1\.1 (\d{3}) [^\r\n]+\r\n((?:[^\r\n]+\r\n)*)\r\n/;

/**
 * Reads all that came on a connection with one request. It is one answer, whole and well formed:
 * its length is what the head says, its body is JSON, and the status is that of the code in the
 * body, so that parts of two answers are seen.
 */
export function readAnswer(text: string): Reading {
  const head = HEAD.exec(text);
  if (!head) return { answer: 'nothing', problems: [`no answer: ${JSON.stringify(text)}`] };
  const [whole, status = '', lines = ''] = head;
  const headers = headersOf(lines);
  const body = text.slice(whole.length);
  const problems = [...headers.problems];
  if (headers.get('content-type')?.startsWith('text/event-stream')) {
    if (status !== '200' || body.includes('HTTP/1.1')) problems.push(`a stream with ${body}`);
    return { answer: 'stream', problems };
  }
  const length = Number(headers.get('content-length'));
  if (length !== Buffer.byteLength(body)) {
    problems.push(`${Buffer.byteLength(body)} bytes instead of ${length}: ${body.slice(0, 400)}`);
  }
  return { ...judgedBody(status, body, problems) };
}

function headersOf(lines: string): Map<string, string> & { problems: string[] } {
  const headers = Object.assign(new Map<string, string>(), { problems: [] as string[] });
  for (const line of lines.split('\r\n').filter((one) => one !== '')) {
    const [name = '', ...value] = line.split(': ');
    const key = name.toLowerCase();
    if (headers.has(key)) headers.problems.push(`the header ${key} comes twice`);
    headers.set(key, value.join(': '));
  }
  return headers;
}

function judgedBody(status: string, body: string, problems: string[]): Reading {
  let said: { error?: keyof typeof ERRORS; data?: unknown };
  try {
    said = JSON.parse(body);
  } catch {
    return { answer: status, problems: [...problems, `no JSON: ${body.slice(0, 400)}`] };
  }
  const answer = `${status} ${said.error ?? 'done'}`;
  const isMixed = said.error ? String(ERRORS[said.error]) !== status : !/^2/.test(status);
  return {
    answer,
    problems: isMixed ? [...problems, `parts of two answers: ${answer}`] : problems,
  };
}
