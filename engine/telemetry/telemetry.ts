/**
 * Telemetry: the one typed list of things that happen inside the engine and that somebody may want
 * to count or read in a log. Rooms emit; the server turns emissions into metrics, log lines and
 * spans. It knows no metrics library and no logger. Any room may emit; only the server listens.
 */
import type { Happening } from './happenings.ts';

export type { EventIds, Happening, Ids } from './happenings.ts';

export type Telemetry = {
  emit(happening: Happening): void;
  /** With traces on, while a request is served: takes it along to where its wish is decided. */
  carry?(): Carry | undefined;
};

/** Whatever `work` starts belongs to the request that was carried. */
export type Carry = <Result>(work: () => Result) => Result;

export const silentTelemetry: Telemetry = { emit: () => {} };

/** For tests: keeps what was emitted, so that a path can be shown to have been taken. */
export function recordingTelemetry(): Telemetry & { readonly happenings: Happening[] } {
  const happenings: Happening[] = [];
  return { happenings, emit: (happening) => happenings.push(happening) };
}
