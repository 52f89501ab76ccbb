import type { Done } from '@voelgoed/engine/workflows';
import { refuse } from './errors.ts';
import type { AnyReply } from './exchange.ts';

/** What every change may answer besides its own refusals. */
type Common = { kind: 'key_reused' } | { kind: 'not_found' } | { kind: 'not_allowed' };

/** The success of a change, or one of the refusals that all changes share. */
export function answerDone<Reply extends AnyReply>(
  reply: Reply,
  outcome: Done<unknown> | Common,
  options: { status?: 200 | 201; missing?: string } = {},
): Reply {
  switch (outcome.kind) {
    case 'done':
      if (outcome.replayed) reply.header('idempotent-replayed', 'true');
      reply.code(options.status ?? 200);
      reply.header('cache-control', 'no-cache, no-store');
      reply.send({ data: outcome.answer });
      return reply;
    case 'key_reused': {
      const message = 'This Idempotency-Key was used for another request.';
      return refuse(reply, 'idempotency_key_reused', message);
    }
    case 'not_found':
      return refuse(reply, 'not_found', options.missing ?? 'There is no such thing here.');
    case 'not_allowed':
      return refuse(reply, 'forbidden', 'This would give more than you have yourself.');
  }
}
