/** Shorter words appear by chance in anything that is long enough. */
const FEWEST_CHARACTERS = 8;

/** A word in every spelling in which it could leave the house. */
export function spellingsOf(word: string): string[] {
  const bytes = Buffer.from(word);
  const spellings = [
    word,
    encodeURIComponent(word),
    JSON.stringify(word).slice(1, -1),
    bytes.toString('hex'),
    ...insideBase64(bytes),
  ];
  const lower = spellings.map((one) => one.toLowerCase());
  return [...new Set(lower)].filter((one) => one.length >= FEWEST_CHARACTERS);
}

/**
 * What base64 makes of the word in the middle of something longer: it depends on where it begins,
 * and its ends depend on the neighbours, so they are left away.
 */
function insideBase64(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
    const whole = Math.floor(padded.length / 3) * 3;
    const skipped = Math.ceil(offset / 3) * 4;
    return (['base64', 'base64url'] as const).map((encoding) =>
      padded.subarray(0, whole).toString(encoding).slice(skipped),
    );
  });
}

/** The words that a text tells, in whatever spelling, upper or lower case. */
export function toldIn(text: string, words: Readonly<Record<string, string>>): string[] {
  const lower = text.toLowerCase();
  return Object.entries(words).flatMap(([name, word]) =>
    spellingsOf(word).some((spelling) => lower.includes(spelling)) ? [name] : [],
  );
}
