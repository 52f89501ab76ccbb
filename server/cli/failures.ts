/** What the shell is told; the help and docs/operate.md have the same list. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  found: 3,
  missing: 4,
  refused: 5,
  unavailable: 6,
} as const;

/** Why a command ends early, in a sentence for whoever typed it. */
export class Failure extends Error {
  readonly exit: number;

  constructor(exit: keyof typeof EXIT, message: string) {
    super(message);
    this.exit = EXIT[exit];
  }
}
