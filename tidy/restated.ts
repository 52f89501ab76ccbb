import type { Restated } from './numbers.ts';

/** A piece of a sentence, where the code has its number, and by what that is divided. */
type Row = readonly [says: string, code: string, per?: number];

const S = 1_000;
const MINUTE = 60_000;
const KIB = 1_024;
const MIB = 1_024 * 1_024;

const SLOT = 'engine/registry/slot.ts';
const QUEUE = 'engine/registry/queue.ts';
const WRITER = 'engine/registry/writer.ts';
const READERS = 'engine/warm/readers.ts';
const POOL = 'engine/postgres/pool.ts';
const POLICY = 'engine/policies/policy-fields.ts POLICY_FIELDS';
const CONFIG = 'server/config/config.ts';
const NODE = 'server/processes/node.ts';
const JOBS = 'server/processes/engine.ts';
const BUCKETS = 'server/limits/buckets.ts';
const GATE = 'server/overload/admission-rules.ts';
const CHANNEL = 'server/stream/channel.ts';
const COURIER = 'engine/webhooks/courier.ts';
const RETRIES = 'engine/webhooks/schedule-rules.ts';
const MIGRATIONS = 'engine/postgres/migrations.ts';
const INVARIANTS = 'engine/jobs/invariants.ts';

/** What pages, alerts and dashboards say, by file; the same constant may stand in several. */
const PAGES: Readonly<Record<string, readonly Row[]>> = {
  'docs/redis.md': [
    ['turn claims them for {} seconds', 'engine/warm/seat-value.ts CLAIM_MS', S],
    ['state `claimed` ({} s)', 'engine/warm/seat-value.ts CLAIM_MS', S],
    ['`held` (until {} minute after its end)', 'engine/warm/seat-value.ts KEPT_AFTER_MS', MINUTE],
    ['wrote within the last {} s', `${READERS} FRESH_MS`, S],
    ['kept for {} s, answered from', `${READERS} OCCUPANCY_S`],
    ['answered from for {} s', `${READERS} FRESH_MS`, S],
    ['{} h, up to', `${READERS} LAYOUT_S`, 3_600],
    ['h, up to {} kB', `${READERS} LAYOUT_BYTES`, KIB],
    ['longer than {} ms has failed', 'engine/redis/connection.ts COMMAND_MS'],
    ['{} failures in a row open', 'engine/redis/circuit.ts FAILURES'],
    ['in full every {} minutes', 'engine/warm/watchman.ts ALL_MS', MINUTE],
  ],
  'docs/boards.md': [
    ['current within the last {} seconds', `${SLOT} CONFIRMED_MS`, S],
    ['at most {} wishes, or half', `${QUEUE} BATCH`],
    ['longer queue up to {}:', `${QUEUE} LARGE_BATCH`],
    ['and {} in a row stop', `${WRITER} GUARD_LIMIT`],
    ["stop that event's writer for {} seconds", `${WRITER} GUARD_PAUSE_MS`, S],
    ['a NOTIFY per {} ms', 'engine/registry/postgres-feed.ts GATHER_MS'],
    ['Every {} revisions', 'engine/registry/seat-registry.ts SNAPSHOT_EVERY'],
  ],
  'docs/holds.md': [
    ['(`default_hold_ttl_minutes`, {})', `${POLICY}.default_hold_ttl_minutes`],
    ['`hold_extension_minutes` ({})', `${POLICY}.hold_extension_minutes`],
    ['`max_hold_total_minutes` ({})', `${POLICY}.max_hold_total_minutes`],
    ['another body for {} hours', `engine/jobs/jobs.sql.ts /interval '(\\d+) hours'/`],
    ['{} are remembered for a buyer', 'engine/registry/postgres-store.ts MOST_IDLE_KEYS'],
    ['or {} refusals in a minute', `${BUCKETS} REFUSED.tokens`],
    ['The newest {} entries are looked', 'engine/workflows/event-blocks.ts MOST_ENTRIES'],
    ['Staff may hold {} times as much', `${BUCKETS} STAFF_FACTOR`],
    ['API keys {} times', `${BUCKETS} KEY_FACTOR`],
    ['address may hold {} seats', 'engine/policies/policy-limits.ts GUEST_HOLDS_PER_IP'],
    ['open {} sessions an hour', `${CONFIG} GUEST_SESSIONS_PER_HOUR.fallback`],
    ['IPv4 address | {} |', 'engine/policies/policy-limits.ts GUEST_HOLDS_PER_IP'],
    ['IPv4 address | 40 | {} |', `${CONFIG} GUEST_SESSIONS_PER_HOUR.fallback`],
    ['IPv4 address | 40 | 20 | {} |', `${CONFIG} STREAMS_PER_ADDRESS.fallback`],
    ['memory, at most {} s behind', `${SLOT} CONFIRMED_MS`, S],
    ['`hold_minutes` is moved into 1 to {}', 'engine/policies/policy-fields.ts HOLD_MINUTES.most'],
    ['More than {} seats are closed at once', 'engine/board/tasks.ts TASK_PIECE'],
  ],
  'docs/checkouts.md': [
    ['of at most {} places', 'engine/board/sell-checkout.ts MOST_TICKETS'],
    ['be started {} seconds after', `${CONFIG} CHECKOUT_INTERVAL_SECONDS.fallback`],
    ['`payment_minutes` ({})', `${POLICY}.payment_minutes`],
    ['{} minutes in all', 'engine/policies/policy-limits.ts PAYING_MOST_SECONDS', 60],
    ['with at most {} attempts', 'engine/board/decide-payment.ts MOST_ATTEMPTS'],
    ['`payment_grace_minutes` ({})', `${POLICY}.payment_grace_minutes`],
    ['good for {} seconds by', 'server/routes/payment-signature.ts WINDOW_SECONDS'],
  ],
  'docs/realtime.md': [
    ['digest, server_time} every {} seconds', `${CHANNEL} HEARTBEAT_MS`, S],
    ['Changes within {} ms are one frame', `${CHANNEL} INTERVAL_MS`],
    ['pause is {} times as long', `${CHANNEL} FANOUT_SHARE`],
    ['for {} ms per frame at most', `${CHANNEL} MOST_PAUSE_MS`],
    ['Nothing for {} seconds', 'client/live/following.ts SILENCE_MS', S],
    ['more than {} kB wait', 'server/stream/client.ts MOST_WAITING_BYTES', KIB],
    ['`STREAMS_PER_ADDRESS` ({};', `${CONFIG} STREAMS_PER_ADDRESS.fallback`],
    ['{} per user', `${NODE} STREAMS_PER_USER`],
    ['{} per event. Beyond', `${NODE} STREAMS_PER_EVENT`],
  ],
  'docs/operate.md': [
    ['Up to {} hosts', 'engine/postgres/addresses.ts MOST_HOSTS'],
    ['`voelgoed_writer` {}, `voelgoed_jobs`', 'engine/postgres/postgres.ts SIZES.writers'],
    ['has {} kB written', 'engine/postgres/write-probe.ts /generate_series\\(1, (\\d+)\\)/'],
    ['each node looks at {} events', `${INVARIANTS} EVENTS`],
    ['(its last {} rows)', `${INVARIANTS} MOST_AUDIT_ROWS`],
    ['every node sends, {} endpoints at a time', `${COURIER} MOST_TURNS`],
    ['at a time and {} of one organization', `${COURIER} MOST_PER_ORGANIZATION`],
    ['looked at every {} s,', `${COURIER} ROUNDS_PER_SWEEP`],
    ['on: {} of them a second', `${COURIER} SWEPT_PER_ROUND`],
    ['kept for {} days', "engine/webhooks/deliveries.sql.ts /interval '(\\d+) days'/"],
    ['under way ({} s at most)', `${NODE} DRAIN_MS`, S],
    ['left after {} s, and the process', 'server/processes/ending.ts STEP_MS', S],
    ['after {} deaths in a minute', 'server/embedded/service.ts RESTARTS_PER_MINUTE'],
    ['set by more than {} s while', 'engine/registry/clock-rules.ts STEP_MS', S],
    ['a step of less than {} s', 'engine/registry/clock-rules.ts STEP_MS', S],
    ['A failover of less than {} minute', 'engine/registry/clock-rules.ts APART_MS', MINUTE],
    ['answers in {} s (streams)', `${GATE} PATIENCE_S.stream`],
    ['to {} s (releases)', `${GATE} PATIENCE_S.release`],
    ['a moment later, within {} s', 'server/overload/farewells.ts LONGEST_MS', S],
    ['connections of a node | {};', 'server/http/http.ts CONNECTIONS'],
    ['wait for one event | {};', `${QUEUE} QUEUE_LIMIT`],
    ['connection to Postgres | {} ms', `${POOL} WAIT_MS`],
    ['| 250 ms, at most {} |', `${POOL} MOST_WAITING`],
    ['organization that wait | {} |', 'engine/workflows/turns.ts QUEUE'],
    ['for the workshop | {} |', 'engine/workshop/layout-workshop.ts QUEUE'],
    ['time of a request | {} s', 'server/http/deadline.ts DEADLINE_MS', S],
    ['long routes {} s', 'server/http/deadline.ts LONG_MS', S],
  ],
  'docs/webhooks.md': [
    ['endpoints, at most {} |', 'engine/workflows/webhooks.ts MOST_WEBHOOKS'],
    ['({} hours unless said otherwise)', 'server/routes/webhooks.ts OVERLAP_HOURS'],
    ['came of it, for {} days', "engine/webhooks/deliveries.sql.ts /interval '(\\d+) days'/"],
    ['200 to 299 within {} seconds', 'server/outgoing/poster.ts LIMIT_MS', S],
    ['- unix) > {})', 'client/webhooks/webhooks.ts WINDOW_SECONDS'],
    ['Lists longer than {} come', 'engine/webhooks/messages.ts MOST_LISTED'],
    ['after about {} seconds', `${RETRIES} PAUSE.first_ms`, S],
    ['at most {} hours', `${RETRIES} PAUSE.most_ms`, 60 * MINUTE],
    ['half), for {} days', `${RETRIES} GIVE_UP_MS`, 24 * 60 * MINUTE],
    ['After {} days it is `dead`', `${RETRIES} GIVE_UP_MS`, 24 * 60 * MINUTE],
  ],
  'docs/accounts.md': [
    ['by every node within {} seconds', 'server/tokens/standings.ts NOTICED_MS', S],
    ['looks at {} refusals at most', 'engine/workflows/read-refusals.ts STRETCH'],
    ['overlap you choose ({} hours by default)', 'server/routes/keys.ts OVERLAP_HOURS'],
    ['checked with {} seconds of tolerance', 'server/tokens/hs256.ts SKEW_SECONDS'],
  ],
  'docs/retention.md': [
    ['Idempotency-Key | {} hours', "engine/jobs/jobs.sql.ts /interval '(\\d+) hours'/"],
    ['refused what, and why) | {} days', "engine/jobs/jobs.sql.ts /interval '(\\d+) days'/"],
    ['webhooks | {} days', "engine/webhooks/deliveries.sql.ts /interval '(\\d+) days'/"],
  ],
  'docs/upgrade.md': [
    ['waits {} ms for a table', `${MIGRATIONS} LOCK_MS`],
    ['tries again {} s later', `${MIGRATIONS} PAUSE_MS`, S],
    ['After {} tries', `${MIGRATIONS} TRIES`],
    ['what is under way, {} s at most', `${NODE} DRAIN_MS`, S],
  ],
  'docs/recover.md': [
    ['Writers wait {} ms for the lock', `${POOL} LIMITS.writers.lock_ms`],
    ['try again {} times', `${WRITER} RETRIES.tries`],
    ['themselves after {} second of', `${POOL} LIMITS.writers.idle_in_transaction_ms`, S],
  ],
  'docs/allocation.md': [
    ['people, {} at most', 'engine/allocation/run-seats.ts MOST_SEATS'],
    ['`max_group_split` rows ({})', `${POLICY}.max_group_split`],
    ['`alternatives` ({}, at most', 'server/routes/best-available.ts OFFERS'],
    ['(3, at most {}) offers', 'engine/allocation/offers.ts MOST_OFFERS'],
    [
      '`max_wheelchair_seats_per_booking` of them ({})',
      `${POLICY}.max_wheelchair_seats_per_booking`,
    ],
    ['percent full ({};', `${POLICY}.companion_release_occupancy_threshold`],
    ['has fallen {} points below', 'engine/allocation/companions.ts HYSTERESIS'],
  ],
  'docs/model.md': [
    ['Limits: {} seats,', 'engine/layouts/layout-config.ts LAYOUT_LIMITS.seats'],
    ['seats, {} zones, 32 MB', 'engine/layouts/layout-config.ts LAYOUT_LIMITS.zones'],
    ['zones, {} MB', 'server/http/http.ts LARGE_BODY_BYTES', MIB],
  ],
  'docs/staff.md': [
    ['asked for every {} seconds', 'web/dashboard/sale-watch.svelte.ts ASK_MS', S],
    ['kept for {} days', "engine/jobs/jobs.sql.ts /interval '(\\d+) days'/"],
    ['the map), {} at a time', 'web/dashboard/replay.svelte.ts ROWS'],
  ],
  'docs/tickets.md': [['at most {} of each', 'engine/workflows/search-box-office.ts MOST_FOUND']],
  'docs/seat-map.md': [['`stale` after {} seconds', 'client/live/following.ts SILENCE_MS', S]],
  'docs/web.md': [
    ['No connection for {} seconds', 'client/live/following.ts SILENCE_MS', S],
    ['Up to {} buyers,', 'client/wire/demo.ts MOST_BUYERS'],
    ['buyers, {} at a time', 'server/demo/on-sale.ts AT_A_TIME'],
    ['less than {} minutes left', 'web/shop/session.ts ENOUGH_MS', MINUTE],
  ],
  'docs/integrate.md': [['seats wait, {} minutes at most', `${POLICY}.payment_minutes`]],
  'client/README.md': [
    ['retries takes {} s at most', 'client/transport/calls.ts TIMEOUT_MS', S],
    ['(`timeout_ms`), {} s on routes', 'client/transport/calls.ts LONG_TIMEOUT_MS', S],
    ['One attempt is given {} s', 'client/transport/calls.ts ATTEMPT_MS', S],
    ['tries again, {} times at most', 'client/transport/budget.ts MOST'],
    ['nothing was heard for {} seconds', 'client/live/following.ts SILENCE_MS', S],
  ],
  'docs/capacity.md': [
    ['a node has {} connections for them', 'engine/postgres/postgres.ts SIZES.writers'],
    ['boards up to {} MiB', 'engine/registry/seat-registry.ts LIMIT_BYTES', MIB],
    ['up to {} connections', 'server/http/http.ts CONNECTIONS'],
    ['by its own count | {} B', 'engine/board/live-board.ts HOLD_BYTES'],
    ['just below the {} MiB for boards', 'engine/registry/seat-registry.ts LIMIT_BYTES', MIB],
  ],
  'docs/runbooks.md': [
    ['the deadline of a request is {} s', 'server/http/deadline.ts DEADLINE_MS', S],
    ['has had {} failures in a row', 'engine/redis/circuit.ts FAILURES'],
    ['({} unless set otherwise)', `${CONFIG} REDIS_PROBE_SECONDS.fallback`],
    ['takes longer than {} ms counts as failed', 'engine/redis/connection.ts COMMAND_MS'],
    ['of their event within {} ms', `${POOL} LIMITS.writers.lock_ms`],
    ['session after {} s of silence', `${POOL} LIMITS.writers.idle_in_transaction_ms`, S],
    ['of them within {} s.', 'engine/jobs/sweep.ts FLUSH_MS', S],
    ['became free within {} ms', `${POOL} WAIT_MS`],
    ['From {} for one event on', `${QUEUE} QUEUE_LIMIT`],
    ['({}, or half of a longer', `${QUEUE} BATCH`],
    ['longer queue up to {})', `${QUEUE} LARGE_BATCH`],
    ['after {} s its request', 'server/http/deadline.ts DEADLINE_MS', S],
    ['{} contradictions in a row', `${WRITER} GUARD_LIMIT`],
    ['bought for {} s', `${WRITER} GUARD_PAUSE_MS`, S],
    ['over for {} minutes and not ended', `${INVARIANTS} OVERDUE_MINUTES`],
    ['longer: {} of them a round', `${INVARIANTS} EVENTS`],
    ['round later ({} minute;', `${JOBS} INVARIANTS_MS`, MINUTE],
    ['(statement_timeout {} s)', `${POOL} STATEMENT_MS`, S],
    ['of their {} MiB', 'engine/registry/seat-registry.ts LIMIT_BYTES', MIB],
    ['moved by more than {} s', 'engine/registry/clock-rules.ts STEP_MS', S],
    ['at the endpoint for {} days', `${RETRIES} GIVE_UP_MS`, 24 * 60 * MINUTE],
    ['it answered {}.', `${RETRIES} GONE`],
  ],
  'ops/prometheus/alerts.yml': [
    ['the deadline of a request is {} s', 'server/http/deadline.ts DEADLINE_MS', S],
    ['from {} for one event on', `${QUEUE} QUEUE_LIMIT`],
    ['selling an event for {} s', `${WRITER} GUARD_PAUSE_MS`, S],
    ['after {} contradictions in a row', `${WRITER} GUARD_LIMIT`],
    ['of their {} MiB', 'engine/registry/seat-registry.ts LIMIT_BYTES', MIB],
    ['0.9 * {} * 1024 * 1024', 'engine/registry/seat-registry.ts LIMIT_BYTES', MIB],
  ],
  'ops/dashboards/machine-board.ts': [
    ['Slower than {} ms counts', 'engine/redis/connection.ts COMMAND_MS'],
    ['At most {} MiB', 'engine/registry/seat-registry.ts LIMIT_BYTES', MIB],
  ],
  'server/metrics/count-boards.ts': [
    ['A flush takes {}, or half', `${QUEUE} BATCH`],
    ['longer queue up to {}.', `${QUEUE} LARGE_BATCH`],
    [', {}];', `${QUEUE} LARGE_BATCH`],
  ],
};

export const RESTATED: readonly Restated[] = Object.entries(PAGES).flatMap(([file, rows]) =>
  rows.map(([says, code, per = 1]) => ({ file, says, code, per })),
);
