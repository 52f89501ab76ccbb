/** One thing that was looked at. */
export type Finding = Readonly<{
  topic: string;
  ok: boolean;
  finding: string;
  /** What to do when it is not. */
  advice?: string;
}>;

export function finding(topic: string, ok: boolean, found: string, advice?: string): Finding {
  return { topic, ok, finding: found, ...(ok || !advice ? {} : { advice }) };
}

/** Clocks are asked over a network: what lies between question and answer is not a difference. */
export function clockFinding(
  whose: string,
  { theirs_ms, before_ms, after_ms }: { theirs_ms: number; before_ms: number; after_ms: number },
  most_ms: number,
): Finding {
  const ahead = theirs_ms - after_ms;
  const behind = before_ms - theirs_ms;
  const off_ms = Math.max(ahead, behind, 0);
  const found = `${whose} and this machine differ by ${(off_ms / 1_000).toFixed(1)} s`;
  const advice = 'Let both follow the same time service (NTP); tokens and signatures have times.';
  return finding('clocks', off_ms <= most_ms, found, advice);
}
