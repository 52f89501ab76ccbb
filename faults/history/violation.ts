/** The promises, each with a number that histories, verdicts and documents share. */
export const INVARIANTS = {
  I1: 'no seat has two owners at any instant, no zone more than it has room for',
  I2: 'everything that was acknowledged is in Postgres',
  I3: 'nothing is there that nobody asked for',
  I4: 'a wish has one effect, however often it was sent and whatever was lost',
  I5: 'a hold that is over keeps nobody from its seat and is not shown as held',
  I6: 'groups get all or nothing',
  I7: 'ends are final, with one terminal audit row per hold',
  I8: 'counters equal a recount',
  I9: 'revisions without a gap, the chain verifies, the log replays to what is there',
  I10: 'Redis and every board have what Postgres has, soon after healing',
  I11: 'every stream too, and none goes back',
  I12: 'no output has another organization’s ids, nor who a holder is',
  I13: 'every captured payment has its seats or a refund',
  I14: 'as much is answered as before soon after healing, and nothing leaks',
  I15: 'a request gets one whole answer, and no node ends but by a signal',
} as const;

export type Invariant = keyof typeof INVARIANTS;

export type Violation = Readonly<{ invariant: Invariant; message: string }>;

export function violation(invariant: Invariant, message: string): Violation {
  return { invariant, message };
}
