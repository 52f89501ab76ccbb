import type { ServerClock } from '#clock';
import type { FailureCode } from '#failures';
import { asPage } from './pages.ts';

type Head = Readonly<{ status: number; request_id: string | null }>;

/** What one attempt brought: an answer, a refusal, or nothing. */
export type Reply =
  | (Head & Readonly<{ kind: 'answer'; answer: unknown; replayed: boolean }>)
  | (Head &
      Readonly<{
        kind: 'refusal';
        code: FailureCode;
        message: string;
        details: object;
        retry_after_ms: number | null;
      }>)
  | Readonly<{ kind: 'lost'; code: FailureCode; cause: unknown }>;

/** So much of a page that came instead of an answer is enough to know it by. */
const SHOWN_CHARACTERS = 200;

type Asking = Readonly<{ clock: ServerClock; sent_ms: number }>;

export async function readReply(
  response: Response,
  reads: 'json' | 'text' | 'body',
  asking: Asking,
): Promise<Reply> {
  const head = { status: response.status, request_id: response.headers.get('x-request-id') };
  const replayed = response.headers.get('idempotent-replayed') === 'true';
  hearDate(response, asking);
  if (response.ok && reads === 'body') {
    return { kind: 'answer', ...head, replayed, answer: response };
  }
  const text = await response.text();
  if (response.ok && reads === 'text') return { kind: 'answer', ...head, replayed, answer: text };
  const body = objectOf(text);
  if (response.ok && body) {
    const answer = 'data' in body ? asPage(body.data, body.next) : body;
    // A replayed answer tells the time of when it was given first.
    if (!replayed) hearTime(answer, asking);
    return { kind: 'answer', ...head, replayed, answer };
  }
  return { kind: 'refusal', ...head, retry_after_ms: waitOf(response), ...refusalOf(body, text) };
}

function refusalOf(body: Record<string, unknown> | null, text: string) {
  if (typeof body?.error === 'string') {
    const { error, message = error, details } = body;
    const told = typeof details === 'object' && details !== null ? details : {};
    const named = typeof body.request_id === 'string' ? { request_id: body.request_id } : {};
    return { code: error as FailureCode, message: String(message), details: told, ...named };
  }
  const message = 'The answer is none of the server’s.';
  const details = { text: text.slice(0, SHOWN_CHARACTERS) };
  return { code: 'unreadable' as const, message, details };
}

function objectOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function hearTime(answer: unknown, { clock, sent_ms }: Asking): void {
  const time = (answer as { server_time?: unknown } | null)?.server_time;
  if (typeof time === 'string') clock.heard({ time_ms: Date.parse(time) }, sent_ms);
}

function hearDate(response: Response, { clock, sent_ms }: Asking): void {
  const date = response.headers.get('date');
  // What a cache may have kept tells the time of when it was kept.
  const isKept = response.headers.get('cache-control')?.includes('max-age');
  if (!date || isKept || response.headers.has('age')) return;
  clock.heard({ time_ms: Date.parse(date), isHeader: true }, sent_ms);
}

/** Seconds, or a date by the server's own clock. */
function waitOf(response: Response): number | null {
  const text = response.headers.get('retry-after');
  if (!text) return null;
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const at_ms = Date.parse(text);
  const from_ms = Date.parse(response.headers.get('date') ?? '');
  return Number.isNaN(at_ms) || Number.isNaN(from_ms) ? null : Math.max(0, at_ms - from_ms);
}
