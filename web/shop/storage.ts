/** Browsers may refuse to keep anything (private windows, full disks): then nothing is kept. */
export function recall<Value>(key: string): Value | null {
  try {
    const text = localStorage.getItem(`voelgoed.${key}`);
    return text === null ? null : (JSON.parse(text) as Value);
  } catch {
    return null;
  }
}

export function keep(key: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(`voelgoed.${key}`);
    else localStorage.setItem(`voelgoed.${key}`, JSON.stringify(value));
  } catch {
    // The server has what counts; only the next visit knows less.
  }
}

export function keysKept(prefix: string): string[] {
  try {
    const all = Object.keys(localStorage).filter((key) => key.startsWith(`voelgoed.${prefix}`));
    return all.map((key) => key.slice('voelgoed.'.length));
  } catch {
    return [];
  }
}
