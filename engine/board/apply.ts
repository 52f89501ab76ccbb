import { assert } from '#kit';
import { applySale } from './apply-sale.ts';
import type { BoardConfig } from './board-config.ts';
import { changeHold, type Hold, liveHold, SEAT, type WritableState } from './board-state.ts';
import type { Change, HeldChange } from './changes.ts';
import { without } from './tasks.ts';

/**
 * What a change does to a board. The same code runs on drafts, on the board after a commit, on
 * every other node and in a replay, so they cannot differ.
 */
export function applyChanges(
  state: WritableState,
  changes: readonly Change[],
  at_ms: number,
): void {
  for (const change of changes) applyChange(state, change, at_ms);
}

function applyChange(state: WritableState, change: Change, at_ms: number): void {
  switch (change.kind) {
    case 'held':
      return applyHeld(state, change, at_ms);
    case 'extended':
      for (const [hold_id, until_ms] of change.holds) {
        changeHold(state, { ...liveHold(state, hold_id), until_ms });
      }
      return;
    case 'reduced':
      for (const [hold_id, quantity, released] of change.holds) {
        reduce(state, liveHold(state, hold_id), quantity, released);
      }
      return;
    case 'ended':
      for (const hold_id of change.holds) end(state, liveHold(state, hold_id));
      return;
    case 'blocked':
      for (const ordinal of change.ordinals) block(state, ordinal);
      return;
    case 'unblocked':
      for (const ordinal of change.ordinals) unblock(state, ordinal);
      return;
    case 'event':
      return changeConfig(state, { event: change.event });
    case 'config': {
      const { kind: _, ...changes } = change;
      return changeConfig(state, changes);
    }
    case 'companions':
      return state.setReleased(change.zone, change.released);
    case 'task':
      return state.setTasks([...state.tasks, change.task]);
    case 'task_worked':
      return workTask(state, change.count);
    case 'planned':
      throw new Error('assertion failed: a new plan is loaded, not applied');
    default:
      return applySale(state, change, at_ms);
  }
}

function applyHeld(state: WritableState, change: HeldChange, at_ms: number): void {
  for (const [hold_id, ordinal] of change.seats ?? []) {
    const place = { ordinal, zone: state.plan.zoneOf(ordinal), quantity: 1 };
    const hold = holdOf(change, hold_id, place, at_ms);
    assert(state.codeOf(ordinal) === SEAT.available, 'only a free seat is held');
    state.setSeat(ordinal, SEAT.held, hold);
    addHold(state, hold);
  }
  for (const [hold_id, zone, quantity] of change.places ?? []) {
    addHold(state, holdOf(change, hold_id, { ordinal: -1, zone, quantity }, at_ms));
  }
}

/** Field by field: put together by spreading, each hold takes a quarter more memory. */
function holdOf(
  change: HeldChange,
  hold_id: string,
  { ordinal, zone, quantity }: Pick<Hold, 'ordinal' | 'zone' | 'quantity'>,
  at_ms: number,
): Hold {
  const { user_id, cart_token, until_ms, source, ip, made_by, notes, people } = change;
  const hold = {
    hold_id,
    user_id,
    cart_token,
    ordinal,
    zone,
    quantity,
    created_ms: at_ms,
    until_ms,
    source,
    ip: ip ?? null,
    made_by: made_by ?? null,
    notes: notes ?? null,
    checkout_id: null,
  };
  const named = people?.find(([id]) => id === hold_id);
  const { unjudged, settled } = change;
  if (!named && !unjudged && !settled) return hold;
  return {
    ...hold,
    ...(named ? { people: named[1] } : {}),
    ...(unjudged ? { unjudged } : {}),
    ...(settled && ordinal >= 0 ? { settled } : {}),
  };
}

function addHold(state: WritableState, hold: Hold): void {
  state.addHold(hold);
  state.addCounts(hold.zone, { held: hold.quantity, sold: 0, blocked: 0 });
}

function reduce(state: WritableState, hold: Hold, quantity: number, released: number): void {
  assert(quantity >= 1 && released >= 1, 'a hold without places has ended');
  assert(hold.quantity === quantity + released, 'a hold has what stays and what goes');
  changeHold(state, { ...hold, quantity });
  state.addCounts(hold.zone, { held: -released, sold: 0, blocked: 0 });
}

function end(state: WritableState, hold: Hold): void {
  state.removeHold(hold);
  state.addCounts(hold.zone, { held: -hold.quantity, sold: 0, blocked: 0 });
  if (hold.ordinal >= 0) state.setSeat(hold.ordinal, SEAT.available, undefined, null);
}

/** A seat that somebody holds is freed by another change first; a sold one keeps its ticket. */
function block(state: WritableState, ordinal: number): void {
  const code = state.codeOf(ordinal);
  assert(code === SEAT.available || code === SEAT.sold, 'a held seat is released before a block');
  const sold = code === SEAT.sold;
  state.setSeat(ordinal, sold ? SEAT.blockedSold : SEAT.blocked, undefined);
  const zone = state.plan.zoneOf(ordinal);
  state.addCounts(zone, { held: 0, sold: sold ? -1 : 0, blocked: 1 });
}

function unblock(state: WritableState, ordinal: number): void {
  const code = state.codeOf(ordinal);
  assert(code === SEAT.blocked || code === SEAT.blockedSold, 'only a blocked seat is unblocked');
  const sold = code === SEAT.blockedSold;
  state.setSeat(ordinal, sold ? SEAT.sold : SEAT.available, undefined);
  const zone = state.plan.zoneOf(ordinal);
  state.addCounts(zone, { held: 0, sold: sold ? 1 : 0, blocked: -1 });
}

function changeConfig(state: WritableState, changes: Partial<BoardConfig>): void {
  const config = { ...state.config, ...changes, version: state.config.version + 1 };
  assert(config.zones.length === state.config.zones.length, 'zones come and go with a plan only');
  state.setConfig(config);
}

function workTask(state: WritableState, count: number): void {
  const [first, ...others] = state.tasks;
  assert(first, 'there is a task to work on');
  const rest = without(first, count);
  state.setTasks(rest ? [rest, ...others] : others);
}
