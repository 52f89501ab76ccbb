const MINUTE = 60;

/** `9:05`, and `1:02:03` for what lasts longer. */
export function clockOf(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / MINUTE), seconds % MINUTE];
  const two = (number: number) => String(number).padStart(2, '0');
  if (minutes < MINUTE) return `${minutes}:${two(rest)}`;
  return `${Math.floor(minutes / MINUTE)}:${two(minutes % MINUTE)}:${two(rest)}`;
}
