export type Guard = Readonly<{
  /** In the code's words. */
  name: string;
  protects: string;
  /** Where it lives, and the words there that are the guard. */
  file: string;
  words: string;
  /** How a test turns it off. */
  off: string;
  /** Others that cover it: each of them is enough, so all have to be off for the harm to happen. */
  behind: readonly string[];
  /** The harm, in the words of whatever saw it. */
  sees: string;
  /** The test file whose control sees it. */
  control: string;
  /** The switch of the model that stands for it. */
  model?: string;
}>;

const LOCK = 'engine/registry/flush.sql.ts';
const WRITE = 'engine/registry/flush-write.sql.ts';
const SCHEMA = 'db/schema.sql';
const STORE_CONTROLS = 'engine/registry/guard-controls.test.ts';
const COMMIT_CONTROLS = 'engine/registry/commit-controls.test.ts';
const STANDBY_CONTROLS = 'testkit/rig/durable-answers.test.ts';
const WARM_CONTROLS = 'engine/warm/controls.test.ts';
const BOARD_CONTROLS = 'engine/board/sale-controls.test.ts';

const LIST = [
  {
    name: 'event lock',
    protects: 'nodes decide one after the other, each on what the one before has committed',
    file: LOCK,
    words: 'where organization_id = $1 and event_id = $2 for no key update',
    off: 'the statement goes out without the words that lock',
    behind: ['revision guard', 'version check', 'seat_hold_id check', 'unique index', 'log keys'],
    sees: 'a seat with two live holds',
    control: STORE_CONTROLS,
    model: 'EVENT_LOCK',
  },
  {
    name: 'revision guard',
    protects: 'a flush is written on the revision that it was decided on',
    file: WRITE,
    words: `from board) <> 1 then refuse_flush('revision') end`,
    off: 'the statement goes out without the comparison',
    behind: ['log keys'],
    sees: 'the log gives another board',
    control: STORE_CONTROLS,
    model: 'REVISION_GUARD',
  },
  {
    name: 'log keys',
    protects: 'one change row per revision and one audit row per place in the chain',
    file: SCHEMA,
    words: 'constraint seat_changes_pkey PRIMARY KEY (organization_id, event_id, revision)',
    off: 'the statement passes over rows that are there already',
    behind: ['revision guard'],
    sees: 'the log gives another board',
    control: STORE_CONTROLS,
  },
  {
    name: 'version check',
    protects: 'a seat’s row that somebody else has changed is not written over',
    file: WRITE,
    words: 'and s.version = (:seat_versions::int[])',
    off: 'the statement goes out without the comparison',
    behind: [],
    sees: 'a blocked seat was given away',
    control: STORE_CONTROLS,
  },
  {
    name: 'seat_hold_id check',
    protects: 'a seat goes only from the hold that the board knows of',
    file: WRITE,
    words: 'and s.seat_hold_id is not distinct from',
    off: 'the statement goes out without the comparison',
    behind: ['unique index'],
    sees: 'a seat with two live holds',
    control: STORE_CONTROLS,
  },
  {
    name: 'unique index',
    protects: 'a seat has one active hold, whatever the statement says',
    file: SCHEMA,
    words: 'CREATE UNIQUE INDEX seat_holds_one_active',
    off: 'a database of the test’s own without the index',
    behind: ['seat_hold_id check'],
    sees: 'a seat with two live holds',
    control: STORE_CONTROLS,
  },
  {
    name: 'hold status check',
    protects: 'a hold ends once',
    file: WRITE,
    words: `and (h.event_id = :event) is true and (h.status = 'active') is true`,
    off: 'the statement goes out without the comparison, and without counting',
    behind: ['revision guard', 'log keys'],
    sees: 'at most one end in the trail',
    control: STORE_CONTROLS,
  },
  {
    name: 'zone CHECK',
    protects: 'a zone has not more held, sold and blocked than it has places',
    file: SCHEMA,
    words: 'constraint event_zones_check CHECK',
    off: 'a database of the test’s own without the constraint',
    behind: ['revision guard', 'log keys'],
    sees: 'a zone whose counters are wrong',
    control: STORE_CONTROLS,
  },
  {
    name: 'commit tag check',
    protects: 'COMMIT that was answered by ROLLBACK is no success',
    file: 'engine/postgres/connection.ts',
    words: `if (answer.command === 'COMMIT') return { kind: 'committed', rows: [] };`,
    off: 'a connection that reads every answer to COMMIT as COMMIT',
    behind: [],
    sees: 'said to be committed, and is not there',
    control: 'engine/postgres/connection.test.ts',
  },
  {
    name: 'publish after commit',
    protects: 'people and other nodes are told what is committed, and nothing else',
    file: 'engine/registry/writer.ts',
    words: `if (transacted.kind === 'failed') {`,
    off: 'a store that says committed once it has decided',
    behind: [],
    sees: 'told, and not there',
    control: COMMIT_CONTROLS,
    model: 'PUBLISH_AFTER_COMMIT',
  },
  {
    name: 'unknown commits under the lock',
    protects: 'a commit whose answer was lost is looked for once it cannot happen any more',
    file: 'engine/registry/writer.ts',
    words: 'this.#unsettled?.flush.row.revision ?? null',
    off: 'the flush that asks for it goes out without the words that lock',
    behind: [],
    sees: 'one wish, done twice',
    control: COMMIT_CONTROLS,
    model: 'UNKNOWN_UNDER_LOCK',
  },
  {
    name: 'durable answers',
    protects: 'an answer that rests on a row that was found is given once a standby has the row',
    file: 'engine/registry/writer.ts',
    words: `seen.decided.keeping ?? (resting.length > 0 ? 'commit' : null);`,
    off: 'a store that says committed and has only read',
    behind: [],
    sees: 'acknowledged, and not on the standby',
    control: STANDBY_CONTROLS,
    model: 'DURABLE_ANSWERS',
  },
  {
    name: 'standby warning',
    protects: 'a commit whose wait for the standby was cancelled is not taken for durable',
    file: 'engine/postgres/connection.ts',
    words: 'if (routine === STANDBY_WAIT) warning = message ?? routine;',
    off: 'a store that takes it for a commit like any other',
    behind: [],
    sees: 'acknowledged, and not on the standby',
    control: STANDBY_CONTROLS,
  },
  {
    name: 'idempotency in the commit',
    protects: 'a key is there if and only if what it was given for is done',
    file: WRITE,
    words: 'insert into idempotency_keys',
    off: 'a store that leaves the keys for later, and dies before it',
    behind: [],
    sees: 'one key, done twice',
    control: COMMIT_CONTROLS,
    model: 'KEY_IN_COMMIT',
  },
  {
    name: 'key row',
    protects: 'a key that is there already is not given to another commit',
    file: WRITE,
    words: `then refuse_flush('idempotency keys') end`,
    off: 'the statement goes out without counting the keys it has kept',
    behind: [],
    sees: 'one key, done twice',
    control: COMMIT_CONTROLS,
  },
  {
    name: 'poll',
    protects: 'a board whose messages are lost is compared with the store every second',
    file: 'engine/registry/seat-registry.ts',
    words: 'if (!signal.aborted) await this.poll();',
    off: 'a registry that nobody has started, and a feed that tells nobody',
    behind: [],
    sees: 'a board stays behind',
    control: COMMIT_CONTROLS,
  },
  {
    name: 'lineage',
    protects: 'a board of a history that a failover has ended is thrown away',
    file: 'engine/registry/slot.ts',
    words: 'rows.some(({ revision, hash }) => revision === own.revision && hash === own.hash)',
    off: 'a store that shows every node its own hashes',
    behind: [],
    sees: 'the log does not replay',
    control: COMMIT_CONTROLS,
  },
  {
    name: 'expiry before decide',
    protects: 'an expired seat can be taken the moment it expires, with all workers stopped',
    file: 'engine/registry/flush.ts',
    words: 'const more = endDue(this.#board, this.#draft, this.#now_ms);',
    off: 'a board that says that nothing is due',
    behind: [],
    sees: 'an expired seat was refused',
    control: COMMIT_CONTROLS,
    model: 'EXPIRY_BEFORE_DECIDE',
  },
  {
    name: 'shared drift',
    protects: 'a clock of the database that is set ends no hold early and freezes none',
    file: 'engine/registry/writer.ts',
    words: `if (!time.read(read, started)) return 'clock was set';`,
    off: 'readings that seem to follow a drift that was just set',
    behind: [],
    sees: 'a hold has ended early',
    control: 'engine/registry/clock.test.ts',
  },
  {
    name: 'compare-and-delete',
    protects: 'a claim in Redis is taken away by whoever made it',
    file: 'engine/warm/remove.lua',
    words: `if redis.pcall('GET', name) == ARGV[at] then`,
    off: 'a connection that sends a plain DEL instead of the script',
    behind: [],
    sees: 'a claim of somebody else was taken away',
    control: WARM_CONTROLS,
    model: 'COMPARE_AND_DELETE',
  },
  {
    name: 'healing',
    protects: 'what Redis says and the board does not know is taken out when somebody meets it',
    file: 'engine/registry/claiming.ts',
    words: 'if (!isKnown) this.#claims.heal(slot.event, seen);',
    off: 'claims that heal nothing',
    behind: ['watchman'],
    sees: 'Redis has a hold that never was',
    control: WARM_CONTROLS,
  },
  {
    name: 'watchman',
    protects: 'what Redis has is compared with the board, in turn, also when nobody asks',
    file: 'engine/warm/watchman.ts',
    words: 'await this.#putMarkedRight();',
    off: 'a tier that is not started',
    behind: ['healing'],
    sees: 'Redis has a hold that never was',
    control: WARM_CONTROLS,
  },
  {
    name: 'reader digest',
    protects: 'what was changed in Redis since a node wrote it is shown by no other node',
    file: 'engine/warm/sealed-text.ts',
    words: 'return digestOf(key, content, bytes) === digest ? content : null;',
    off: 'a hand that changes the digest together with the bitmap',
    behind: [],
    sees: 'a reader is shown other seats',
    control: WARM_CONTROLS,
  },
  {
    name: 'reconcile before breaker close',
    protects: 'a Redis that was away is brought up to date before it is believed',
    file: 'engine/redis/circuit.ts',
    words: 'await this.#onBack();',
    off: 'a circuit that has nothing to do when Redis is back',
    behind: [],
    sees: 'Redis is believed, and says something else',
    control: WARM_CONTROLS,
  },
  {
    name: 'paying not reapable',
    protects: 'a seat that is being paid for stays until the payment’s deadline',
    file: 'engine/board/leave-checkout.ts',
    words: `state.checkoutOf(checkout_id)?.status === 'paying'`,
    off: 'a draft that does not see that somebody is paying',
    behind: [],
    sees: 'paid in time, and not seated',
    control: BOARD_CONTROLS,
    model: 'PAYING_NOT_REAPABLE',
  },
  {
    name: 'attempt check',
    protects: 'a decline of an older card changes nothing for the one that is being tried',
    file: 'engine/board/decide-payment.ts',
    words: `currentAttempt(checkout)?.attempt_id === attempt_id`,
    off: 'a draft that takes any attempt for the current one',
    behind: [],
    sees: 'an old decline has stopped a payment',
    control: BOARD_CONTROLS,
  },
  {
    name: 'gap detection',
    protects: 'a seat map that has missed something asks for it, instead of showing what is not so',
    file: 'client/live/live-map.ts',
    words: `if (from > this.revision) return 'resume';`,
    off: 'a page that goes on, whatever its map says',
    behind: [],
    sees: 'a map shows what is not so',
    control: 'server/stream/converge.test.ts',
  },
  {
    name: 'one answer',
    protects: 'a request gets one answer, whole; a second one is dropped and counted',
    file: 'server/http/one-answer.ts',
    words: 'if (this.hasEnded) return this;',
    off: 'a node whose responses learn of their answer when its bytes leave',
    behind: [],
    sees: 'the node has ended',
    control: 'faults/attacks/answers.test.ts',
  },
  {
    name: 'bug verdict',
    protects: 'a bug that can have spoiled one answer and no more does not end a node',
    file: 'server/processes/bug-rules.ts',
    words: 'frames.every((frame) => isStateless(frame, root))',
    off: 'a node that ends on every exception',
    behind: [],
    sees: 'the node has ended',
    control: 'faults/attacks/bugs.test.ts',
  },
  {
    name: 'row level security',
    protects: 'an organization sees and changes its own rows, whatever a statement asks for',
    file: SCHEMA,
    words: 'force row level security',
    off: 'a database of the test’s own, whose tables have it disabled',
    behind: [],
    sees: 'rows of another organization',
    control: 'engine/postgres/tenancy.test.ts',
  },
  {
    name: 'generation of connections',
    protects:
      'a primary that became a standby is left by every pool, not only by the one it refuses',
    file: 'engine/postgres/pool.ts',
    words: 'birth.generation !== this.#servers.generation',
    off: 'pools that do not share what they know of the servers',
    behind: [],
    sees: 'a reader stays with the former primary',
    control: 'engine/postgres/pool.test.ts',
  },
  {
    name: 'write probe',
    protects: 'a node whose database cannot write gets no requests',
    file: 'engine/postgres/write-probe.ts',
    words: 'await transaction.exchange([spill(), writeProbe()])',
    off: 'a probe that only reads',
    behind: [],
    sees: 'ready while nothing can be written',
    control: 'engine/postgres/write-probe.test.ts',
  },
  {
    name: 'signed organizations',
    protects: 'an altered statement of a serving role cannot choose another organization',
    file: SCHEMA,
    words: 'is not signed for this connection',
    off: 'a database of the test’s own, whose roles need not sign',
    behind: [],
    sees: 'users of another organization were read',
    control: 'engine/postgres/organizations.test.ts',
  },
] as const satisfies readonly Guard[];

export type GuardName = (typeof LIST)[number]['name'];

type NamedGuard = Guard & Readonly<{ name: GuardName; behind: readonly GuardName[] }>;

/** Every guard of the product: what it is for, and what was seen without it. */
export const GUARDS: readonly NamedGuard[] = LIST;

export function guardOf(name: GuardName): NamedGuard {
  const guard = GUARDS.find((one) => one.name === name);
  if (!guard) throw new Error(`there is no guard called ${name}`);
  return guard;
}
