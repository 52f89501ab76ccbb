import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Can whoever asks read gzip? */
export function readsGzip(request: FastifyRequest): boolean {
  const encodings = String(request.headers['accept-encoding'] ?? '');
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(encodings);
}

/** JSON that is ready as bytes; nobody has to go through it again. */
export function sendJson(
  reply: FastifyReply,
  bytes: Buffer,
  encoding: 'gzip' | 'identity',
): FastifyReply {
  if (encoding === 'gzip') reply.header('content-encoding', 'gzip');
  return reply
    .type('application/json; charset=utf-8')
    .serializer((ready: string) => ready)
    .send(bytes);
}

/** It was compressed when it was made; only for who cannot read that it is opened again. */
export async function sendCompressed(request: FastifyRequest, reply: FastifyReply, gzip: Buffer) {
  if (readsGzip(request)) return sendJson(reply, gzip, 'gzip');
  return sendJson(reply, await promisify(gunzip)(gzip), 'identity');
}
