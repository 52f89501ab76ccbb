import type { Random } from '@voelgoed/engine/kit';
import { type FaultProxy, type ProxyOptions, startProxy } from '#proxy';

/** A way to Postgres that a test can spoil. */
export type Detour = Readonly<{ proxy: FaultProxy; through(url: string): string }>;

/** URLs of a unix socket, as the embedded Postgres has them, by way of TCP and a proxy. */
export async function openDetour(
  url: string,
  random: Random,
  onChunk: NonNullable<ProxyOptions['onChunk']> = () => 'pass',
): Promise<Detour> {
  const { searchParams, port } = new URL(url);
  const path = `${searchParams.get('host') ?? ''}/.s.PGSQL.${port || '5432'}`;
  const proxy = await startProxy({ upstream: { path }, random, onChunk });
  const through = (direct: string) => {
    const detour = new URL(proxy.through(direct));
    detour.searchParams.delete('host');
    return detour.href;
  };
  return { proxy, through };
}
