import type { Words } from './word-keys.ts';

/** The sentences for rules and limits: the shop has its own, staff have theirs. */
export type RuleWords = Pick<
  Words,
  | 'ruleChosen'
  | 'ruleApart'
  | 'ruleTable'
  | 'rulePartOfTable'
  | 'ruleFamily'
  | 'tablesFor'
  | 'familiesOnly'
  | 'limitOfBooking'
  | 'limitOfSpaces'
  | 'limitOfBuyer'
  | 'limitOfNetwork'
>;

/** What a refusal says about the rule or the limit that it is for. */
export type RuleDetails = Readonly<{
  rule?: string;
  needed?: number;
  missing?: readonly string[];
  limit?: string;
  most?: number;
  tables?: readonly number[];
  families?: boolean;
}>;

/** A rule or a limit has its own sentence, whatever its code; null: it is about neither. */
export function sentenceOfRule(
  words: RuleWords,
  { rule, needed = 0, missing = [], limit, most = 0, tables = [], families }: RuleDetails,
): string | null {
  if (tables.length > 0) return words.tablesFor(tables.join(', '));
  if (families) return words.familiesOnly;
  const labels = () => missing.join(', ');
  switch (rule ?? limit) {
    case 'prefer_clustering_over_selection':
      return words.ruleChosen;
    case 'group_adjacency_strict':
      return words.ruleApart;
    case 'vip_table':
      return needed < missing.length
        ? words.rulePartOfTable(needed, labels())
        : words.ruleTable(labels());
    case 'family_block':
      return words.ruleFamily(labels());
    case 'max_seats_per_booking':
      return words.limitOfBooking(most);
    case 'max_wheelchair_seats_per_booking':
      return words.limitOfSpaces(most);
    case 'max_holds_per_user':
      return words.limitOfBuyer(most);
    case 'max_holds_per_ip':
    case 'max_network_share_percent':
      return words.limitOfNetwork;
    default:
      return null;
  }
}
