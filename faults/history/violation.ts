/**
 * I1 no two owners, I2 nothing acknowledged is lost, I3 nothing that nobody asked for, I4 a wish
 * has one effect, I6 groups all or nothing, I7 one end per hold, I8 counters, I9 log, I10 boards.
 */
export type Invariant = 'I1' | 'I2' | 'I3' | 'I4' | 'I6' | 'I7' | 'I8' | 'I9' | 'I10';

export type Violation = Readonly<{ invariant: Invariant; message: string }>;

export function violation(invariant: Invariant, message: string): Violation {
  return { invariant, message };
}
