/**
 * Tracing: what one request went through, as spans for any collector that speaks OTLP over HTTP.
 * Off unless an address is given. Spans are made from the same happenings that are counted, so no
 * other room knows of traces; a flush carries the request whose wish came first. `processes` opens
 * it, `http` begins and ends requests.
 */
export { Exporter } from './exporter.ts';
export { readTraceparent, type TraceContext, traceparentOf } from './traceparent.ts';
export { Tracer } from './tracer.ts';
