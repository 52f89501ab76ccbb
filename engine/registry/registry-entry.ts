import type { EventRef } from './ports.ts';
import type { EventWriter } from './writer.ts';

/** The place of an event in a registry. */
export type Entry = { writer: EventWriter; pins: number };

export function isOf({ writer }: Entry, { scope }: EventRef): boolean {
  return writer.slot.event.scope.organizationId === scope.organizationId;
}

/** Nothing is there, under way or remembered: it can go and come again. */
export function isUnused({ writer, pins }: Entry): boolean {
  const { slot } = writer;
  const isEmpty = slot.board === null && !slot.isBusy && !slot.unreadable && pins === 0;
  return isEmpty && writer.isIdle && !writer.isStopped;
}
