import type { AccessScope, Role } from '#accounts';
import { type AuditActor, type AuditEntry, appendToOrganization } from '#audit';
import { findEarlier, type IdempotencyKey, keepAnswer } from '#idempotency';
import { type Clock, type Random, type SharedCalls, type Timers, uuidv7 } from '#kit';
import type { Postgres, Transaction } from '#postgres';
import type { SeatRegistry, Watchers } from '#registry';
import type { Scope } from '#scope';
import type { Telemetry } from '#telemetry';
import type { TicketSigner } from '#tickets';
import type { WarmTier } from '#warm';
import type { WebhookSecrets } from '#webhooks';
import type { LayoutCache, Workshop } from '#workshop';
import type { PageViews } from './page-views.ts';
import type { PublicEvent } from './public-events.ts';
import type { RefusalLog } from './refusals.ts';
import { inTurn } from './turns.ts';

/** What workflows work with. */
export type Engine = Readonly<{
  postgres: Postgres;
  clock: Clock & Timers;
  random: Random;
  telemetry: Telemetry;
  layouts: LayoutCache;
  workshop: Workshop;
  registry: SeatRegistry;
  /** Told of every row that a board of this node takes. */
  watchers: Watchers;
  /** Null: there is no Redis. */
  warm: WarmTier | null;
  refusals: RefusalLog;
  /** Looks at the public pages of events. */
  pageViews: PageViews;
  /** Events as the world sees them: thousands look at the same one. */
  publicEvents: SharedCalls<PublicEvent | null>;
  /** Keys the hashes of addresses. */
  ipSecret: string;
  /** Signs what QR codes say. */
  tickets: TicketSigner;
  /** Signs what endpoints are told. */
  webhookSecrets: WebhookSecrets;
}>;

/** Whose wish it is: the organization, the actor, what they may, and where they called from. */
export type Caller = Readonly<{
  scope: Scope;
  actor: AuditActor;
  /** The role that counts when roles are handed out. */
  role: Role;
  scopes: ReadonlySet<AccessScope>;
  ip: string | null;
  userAgent: string | null;
  /** Why they want it, if they said so. */
  reason?: string | undefined;
  idempotency: IdempotencyKey | null;
  /** The event that a guest's session is good for; absent for everybody else. */
  guestOf?: string | undefined;
  /** The organization was suspended when its credential was looked at. */
  suspended?: boolean | undefined;
  /** On the monotonic clock: after it the wish is not fulfilled any more. */
  deadline_ms?: number | undefined;
  /** Given up by whoever asked. */
  signal?: Readonly<{ aborted: boolean }> | undefined;
}>;

export type Done<Answer> = Readonly<{ kind: 'done'; answer: Answer; replayed: boolean }>;
export type KeyReused = Readonly<{ kind: 'key_reused' }>;

/**
 * The answer to a wish that was done before, for changes that have much to do before they begin.
 * Null: it is new. (Two copies at the same moment are told apart inside the change.)
 */
export async function replayOf<Answer>(
  engine: Engine,
  { scope, idempotency }: Caller,
): Promise<Done<Answer> | KeyReused | null> {
  if (!idempotency) return null;
  const earlier = await engine.postgres.transaction(scope, { name: 'replay' }, (transaction) =>
    findEarlier(transaction, scope, idempotency),
  );
  if (earlier.kind === 'new') return null;
  if (earlier.kind === 'reused') return { kind: 'key_reused' };
  return { kind: 'done', answer: earlier.answer as Answer, replayed: true };
}

/** What the work inside a change did. */
type Changed<Answer> = Readonly<{
  kind: 'changed';
  answer: Answer;
  entries: readonly AuditEntry[];
  /** What a repeated wish gets. Differs where it must not get the same again (a secret). */
  repeat: Answer;
}>;

type AnswerOf<Worked> = Worked extends Changed<infer Answer> ? Answer : never;
type RefusalOf<Worked> = Exclude<Worked, { kind: 'changed' }>;

export function changed<Answer>(
  answer: Answer,
  entries: readonly AuditEntry[],
  repeat: Answer = answer,
): Changed<Answer> {
  return { kind: 'changed', answer, entries, repeat };
}

/**
 * One change to the organization's own data: work, audit entries and the kept answer in one
 * commit. The work returns `changed(…)` or a refusal, which changes nothing. A wish that was done
 * before gets its answer again.
 */
export async function change<Worked extends { kind: string }>(
  engine: Engine,
  caller: Caller,
  name: string,
  work: (transaction: Transaction) => Promise<Worked>,
  /** As whom: `jobs` may move holds and tickets to other seats, which requests may not. */
  pool: 'reads' | 'jobs' = 'reads',
): Promise<Done<AnswerOf<Worked>> | RefusalOf<Worked> | KeyReused> {
  const { scope, actor, idempotency } = caller;
  const options = { name, pool, deadline_ms: caller.deadline_ms };
  const run = async (transaction: Transaction) => {
    if (idempotency) {
      const earlier = await findEarlier(transaction, scope, idempotency);
      if (earlier.kind === 'reused') return { kind: 'key_reused' as const };
      if (earlier.kind === 'done') {
        const answer = earlier.answer as AnswerOf<Worked>;
        return { kind: 'done' as const, answer, replayed: true };
      }
    }
    const worked = await work(transaction);
    if (!isChanged(worked)) throw new Refused(worked);
    const context = { id: uuidv7(engine), ip: caller.ip, userAgent: caller.userAgent };
    const entries = worked.entries.map((entry) => withReason(entry, caller.reason));
    await appendToOrganization(transaction, scope, actor, context, entries);
    if (idempotency) await keepAnswer(transaction, scope, idempotency, worked.repeat);
    return { kind: 'done' as const, answer: worked.answer, replayed: false };
  };
  const left_ms = (caller.deadline_ms ?? Number.POSITIVE_INFINITY) - engine.clock.monotonic();
  try {
    return await inTurn(scope.organizationId, left_ms, () =>
      engine.postgres.transaction(scope, options, run),
    );
  } catch (error) {
    if (error instanceof Refused) return error.outcome as RefusalOf<Worked>;
    throw error;
  }
}

/** The trail says why, where somebody has said so. */
function withReason(entry: AuditEntry, reason: string | undefined): AuditEntry {
  return reason === undefined ? entry : { ...entry, changes: { reason, ...entry.changes } };
}

/** Carries a refusal out of its transaction, which is rolled back: a refusal changes nothing. */
class Refused extends Error {
  readonly outcome: object;

  constructor(outcome: object) {
    super('refused');
    this.outcome = outcome;
  }
}

function isChanged<Worked extends { kind: string }>(
  worked: Worked,
): worked is Worked & Changed<AnswerOf<Worked>> {
  return worked.kind === 'changed';
}
