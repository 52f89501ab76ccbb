import type { Board } from '@voelgoed/engine/board';
import type { Clock, Random, Timers } from '@voelgoed/engine/kit';
import type { EventRef } from '@voelgoed/engine/registry';
import type { Telemetry } from '@voelgoed/engine/telemetry';
import {
  boardView,
  drawingIdOf,
  type Engine,
  eventOccupancy,
  type Occupancy,
  PublicScopes,
} from '@voelgoed/engine/workflows';
import { type Shown, shownOf } from './frames.ts';

/** Where a channel gets what it shows. */
export type Source = Readonly<{
  /** As of now, from a board that is known to be right; null: the event is not on sale. */
  shown(): Promise<Shown | null>;
  /** Reads whatever has been committed before this call. */
  catchUp(): Promise<void>;
  occupancy(): Promise<Occupancy | null>;
  /** May the world know of the event? */
  isPublic(): Promise<boolean>;
  /** The board if it is in memory. */
  board(): Board | null;
  now_ms(): number;
  /** Waits while this node holds an event's lock, but not longer than this. */
  quiet(most_ms: number): Promise<void>;
}>;

export type ChannelTools = Readonly<{
  clock: Clock & Timers;
  random: Random;
  telemetry: Telemetry;
}>;

export function sourceOf(engine: Engine, event: EventRef): Source {
  const { registry } = engine;
  const scopes = new PublicScopes(engine);
  return {
    shown: async () => {
      const board = await registry.board(event);
      if (!board) return null;
      const { layout, zones } = board.config;
      const drawn = { layout_id: layout?.layout_id ?? null, drawing_id: drawingIdOf(zones) };
      return shownOf(boardView(engine, board), drawn, board);
    },
    catchUp: async () => {
      await registry.current(event);
    },
    occupancy: () => eventOccupancy(engine, event.scope, event.eventId),
    isPublic: async () => (await scopes.of(event.eventId)) !== null,
    board: () => registry.loadedBoard(event),
    now_ms: () => registry.time(),
    quiet: (most_ms) => registry.noLocks(most_ms),
  };
}
