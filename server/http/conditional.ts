import type { FastifyReply } from 'fastify';

/** A list of tags, weak ones too, or anything at all. */
export function isKnown(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}

export function notModified(reply: FastifyReply): FastifyReply {
  return reply.code(304).send();
}
