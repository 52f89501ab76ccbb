/** What a node counts, from its metrics: the sum over all labels of the series of that name. */
export async function readSeries(
  address: string,
  names: readonly string[],
): Promise<Record<string, number>> {
  const text = await (await fetch(`${address}/metrics`)).text();
  return Object.fromEntries(names.map((name) => [name, sumOf(text, name)]));
}

export function sumOf(text: string, name: string): number {
  const lines = text.split('\n').filter((line) => {
    return line.startsWith(`${name}{`) || line.startsWith(`${name} `);
  });
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
