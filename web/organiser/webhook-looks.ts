import type { Webhook } from '@voelgoed/client/client';

/** Does it arrive: well, not at the moment, or not at all. */
export function looksOf({ status, failing_since }: Webhook): 'good' | 'warn' | 'bad' {
  if (status === 'disabled') return 'bad';
  return failing_since ? 'warn' : 'good';
}
