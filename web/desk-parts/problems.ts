import { isFailure } from '@voelgoed/client/client';

/** One thing that the server found wrong with what it was sent. */
export type Problem = Readonly<{ path: string; message: string; code?: string }>;

/** What exactly was wrong, where the server says so. */
export function problemsOf(failure: unknown): readonly Problem[] {
  if (!isFailure(failure)) return [];
  const { problems } = failure.details as { problems?: readonly Problem[] };
  return Array.isArray(problems) ? problems : [];
}
