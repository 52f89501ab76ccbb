import type { Happening } from '@voelgoed/engine/telemetry';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** From a refusal out of memory (under 1 ms) to a request at its deadline (3 s). */
export const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3];

/** Counts what happens on boards, in writers and in jobs. */
export function boardMetrics(registers: Registry[]): (happening: Happening) => void {
  const series = boardSeries(registers);
  return (happening) => {
    switch (happening.kind) {
      case 'flush.done': {
        const { outcome, wishes, duration_ms } = happening;
        series.flushSize.observe(wishes);
        return series.flushes.observe({ outcome }, duration_ms / 1_000);
      }
      case 'flush.trouble':
        return series.trouble.inc({ trouble: happening.trouble });
      case 'flush.guard':
        return series.guards.inc();
      case 'hold.attempt':
        return series.attempts.inc();
      case 'hold.success':
        series.heldSeats.inc(happening.seats);
        return series.successes.inc();
      case 'hold.conflict':
        return series.conflicts.inc({ code: happening.code });
      case 'hold.extended':
        return series.extended.inc();
      case 'hold.ended':
        return series.ended.inc({ reason: happening.reason }, happening.holds);
      case 'checkout.closed':
        return series.checkouts.inc({ status: happening.status });
      case 'ticket.sold':
        return series.tickets.inc(happening.tickets);
      case 'refund.due':
        return series.refunds.inc({ reason: happening.reason });
      case 'payment.message':
        return series.messages.inc({ type: happening.type, outcome: happening.outcome });
      case 'hold.refused_fast':
        return series.fast.inc({ code: happening.code });
      case 'orphans.left':
        return series.orphans.inc({ reason: happening.reason }, happening.orphans);
      case 'accessible.held':
        return series.spaces.inc(happening.spaces);
      case 'rule.broken':
        return series.broken.inc({ rule: happening.rule });
      case 'entry.scanned':
        return series.scans.inc({ status: happening.status, reason: happening.reason });
      case 'board.loaded':
        return series.loads.observe(happening.duration_ms / 1_000);
      case 'board.other_lineage':
        return series.lineages.inc();
      case 'stream.sent':
        series.streamFrames.inc(happening.clients);
        return series.fanOuts.observe(happening.duration_ms / 1_000);
      case 'stream.dropped':
        return series.streamDrops.inc();
      case 'sweep.run':
        return series.swept.setToCurrentTime();
      default:
        return;
    }
  };
}

function boardSeries(registers: Registry[]) {
  return {
    ...holdSeries(registers),
    ...saleSeries(registers),
    ...streamSeries(registers),
    flushes: new Histogram({
      name: 'voelgoed_flush_seconds',
      help: 'Time of a flush from asking for the lock to its end',
      labelNames: ['outcome'],
      buckets: SECONDS,
      registers,
    }),
    flushSize: new Histogram({
      name: 'voelgoed_flush_wishes',
      help: 'Wishes decided in one flush',
      buckets: [0, 1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers,
    }),
    trouble: new Counter({
      name: 'voelgoed_flush_trouble_total',
      help: 'Flushes that failed and why',
      labelNames: ['trouble'],
      registers,
    }),
    guards: new Counter({
      name: 'voelgoed_flush_guard_total',
      help: 'Flushes that contradicted the database: each is a bug',
      registers,
    }),
    fast: new Counter({
      name: 'voelgoed_hold_refused_fast_total',
      help: 'Holds refused from memory',
      labelNames: ['code'],
      registers,
    }),
    loads: new Histogram({
      name: 'voelgoed_board_load_seconds',
      help: 'Time to load a board',
      buckets: SECONDS,
      registers,
    }),
    lineages: new Counter({
      name: 'voelgoed_board_other_lineage_total',
      help: 'Boards that were discarded because the log had another history',
      registers,
    }),
    swept: new Gauge({
      name: 'voelgoed_reaper_last_run_timestamp_seconds',
      help: 'When the sweep ran last',
      registers,
    }),
  };
}

function holdSeries(registers: Registry[]) {
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name: `voelgoed_${name}`, help, labelNames, registers });
  return {
    attempts: counter('hold_attempt_total', 'Wishes to hold something'),
    successes: counter('hold_success_total', 'Wishes that were fulfilled'),
    heldSeats: counter('hold_seats_total', 'Seats and places that were held'),
    conflicts: counter('hold_conflict_total', 'Wishes that were refused', ['code']),
    orphans: counter('orphans_left_total', 'Single seats that choices have left over', ['reason']),
    spaces: counter('wheelchair_spaces_held_total', 'Wheelchair spaces that were held'),
    broken: counter('rule_broken_total', 'Rules that failed and were left out', ['rule']),
    extended: counter('hold_extended_total', 'Holds that were made longer'),
    scans: counter('entries_total', 'Tickets scanned at the door', ['status', 'reason']),
    ended: counter('hold_ended_total', 'Holds that have ended without a ticket', ['reason']),
  };
}

function streamSeries(registers: Registry[]) {
  return {
    fanOuts: new Histogram({
      name: 'voelgoed_stream_fanout_seconds',
      help: 'Time to hand one frame to all clients of an event',
      buckets: SECONDS,
      registers,
    }),
    streamFrames: new Counter({
      name: 'voelgoed_stream_frames_total',
      help: 'Frames that were handed to clients',
      registers,
    }),
    streamDrops: new Counter({
      name: 'voelgoed_stream_dropped_total',
      help: 'Clients that read too slowly and were cut off',
      registers,
    }),
  };
}

function saleSeries(registers: Registry[]) {
  return {
    checkouts: new Counter({
      name: 'voelgoed_checkout_closed_total',
      help: 'Checkouts that are over, and how',
      labelNames: ['status'],
      registers,
    }),
    tickets: new Counter({
      name: 'voelgoed_ticket_sold_total',
      help: 'Tickets that were made',
      registers,
    }),
    refunds: new Counter({
      name: 'voelgoed_refund_due_total',
      help: 'Payments and tickets whose money is to be given back, and why',
      labelNames: ['reason'],
      registers,
    }),
    messages: new Counter({
      name: 'voelgoed_payment_message_total',
      help: 'Messages of payment providers and what they led to',
      labelNames: ['type', 'outcome'],
      registers,
    }),
  };
}
