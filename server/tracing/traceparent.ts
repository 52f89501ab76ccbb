/** Where a request stands in a trace that others may have begun. */
export type TraceContext = Readonly<{ traceId: string; spanId: string; sampled: boolean }>;

/** W3C Trace Context, version 00; later versions begin in the same way. */
const FORM = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 1;

/** Null: there is none, or it is not one. What is malformed is not passed on. */
export function readTraceparent(text: string | undefined): TraceContext | null {
  const [, traceId = '', spanId = '', flags = '', more] = FORM.exec(text ?? '') ?? [];
  if (traceId === '' || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  if (more !== undefined && text?.startsWith('00-')) return null;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

export function traceparentOf({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}
