import { isFailure } from '@voelgoed/client/client';
import { t } from '#words';

/** A sentence for whatever went wrong. A bug is not explained away: it is said that it is one. */
export function reasonOf(error: unknown): string {
  const { errors } = t();
  if (!isFailure(error)) return errors.internal;
  // A rule of the event has its own sentence, whatever code it came with.
  const { rule = '' } = error.details as { rule?: string };
  return rulesNow()[rule] ?? errors[error.code];
}

function rulesNow(): Readonly<Record<string, string>> {
  const { ruleChosen, ruleApart, ruleTable, ruleFamily } = t();
  return {
    prefer_clustering_over_selection: ruleChosen,
    group_adjacency_strict: ruleApart,
    vip_table: ruleTable,
    family_block: ruleFamily,
  };
}
