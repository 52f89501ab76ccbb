/** Of all entries, the share that is forgotten at once. */
const SHARE = 16;

/**
 * Keeps a map at `most` entries by forgetting those that were put in first. Several at once, and
 * only when there are too many: to find its first entry a map walks over everything that was
 * deleted before it. Looking each time cost 11 µs with 20,000 entries and 108 µs with 150,000.
 */
export function forgetOldest(map: Map<unknown, unknown>, most: number): void {
  if (map.size <= most) return;
  const left = most - Math.floor(most / SHARE);
  for (const key of map.keys()) {
    if (map.size <= left) return;
    map.delete(key);
  }
}
