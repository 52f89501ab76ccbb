/** What a change of seats asks of a cart; whatever cannot be done is said there. */
export type Hands = Readonly<{
  /** The zone of a seat, if each place in it is for a person; else null. */
  zoneForPeople(seatId: string): string | null;
  /** `instead`: for the person who had that seat. */
  take(seatId: string, instead: string | null): Promise<boolean>;
  /** False: it is still the visitor's. */
  giveBack(seatId: string): Promise<boolean>;
}>;

/** Null: it is done. Else what was given back on the way and is the visitor's again. */
export type Swapped = readonly string[] | null;

/**
 * New seats for old ones. A new seat is taken before the old ones go, so that nobody comes between;
 * but where each place is for a person the old one has to go first: one more would be for nobody.
 */
export async function swap(
  wanted: readonly string[],
  surplus: readonly string[],
  hands: Hands,
): Promise<Swapped> {
  const left = [...surplus];
  const taken: string[] = [];
  const gone: string[] = [];
  for (const seat of wanted) {
    const old = goesFirst(seat, left, hands);
    if (old === null || (await hands.giveBack(old))) {
      if (old !== null) gone.push(...left.splice(left.indexOf(old), 1));
      if (await hands.take(seat, old)) {
        taken.push(seat);
        continue;
      }
    }
    return undo(taken, gone, hands);
  }
  for (const old of left) await hands.giveBack(old);
  return null;
}

function goesFirst(seat: string, left: readonly string[], hands: Hands): string | null {
  const zone = hands.zoneForPeople(seat);
  return (zone !== null && left.find((old) => hands.zoneForPeople(old) === zone)) || null;
}

async function undo(
  taken: readonly string[],
  gone: readonly string[],
  hands: Hands,
): Promise<Swapped> {
  for (const seat of taken) await hands.giveBack(seat);
  const again: string[] = [];
  for (const old of gone) if (await hands.take(old, old)) again.push(old);
  return again;
}
