import type { Engine } from '@voelgoed/engine/workflows';
import type { Halls } from '#halls';
import type { Stadium, Stage } from '#stage';

/** What every suite is given. */
export type Bench = Readonly<{
  stage: Stage;
  engine: Engine;
  stadium: Stadium;
  users: number;
  halls: Halls;
  /** A folder for profiles of nodes. */
  profile: string | undefined;
  /** Says what is going on, for whoever waits. */
  tell(text: string): void;
}>;

/** A process that serves. */
export type Server = Readonly<{ address: string; pid: number }>;

export type Sizes = Readonly<{ rounds: number; lasts_ms: number }>;

/** How often and how long everybody has their turn. */
export function settingsOf(quick: boolean): Sizes {
  return quick ? { rounds: 2, lasts_ms: 1_000 } : { rounds: 5, lasts_ms: 2_000 };
}
