/** Where Redis is: one server by URL or unix socket, or some nodes of a cluster. */
export type RedisAddress =
  | Readonly<{ kind: 'single'; url: string }>
  | Readonly<{ kind: 'cluster'; nodes: readonly string[] }>;

/**
 * Several addresses separated by commas are nodes of a cluster; only the first needs a scheme, and
 * its user, password and TLS count for all. A cluster behind one name says so: `?cluster=1`.
 */
export function readRedisAddress(text: string): RedisAddress {
  if (text.startsWith('/')) return { kind: 'single', url: text };
  const [first = '', ...others] = text.split(',').map((part) => part.trim());
  const url = new URL(first);
  const isCluster = url.searchParams.get('cluster') === '1';
  url.searchParams.delete('cluster');
  if (!isCluster && others.length === 0) return { kind: 'single', url: url.href };
  const nodes = others.map((other) => {
    if (other.includes('://')) return other;
    const node = new URL(url);
    node.host = other;
    return node.href;
  });
  return { kind: 'cluster', nodes: [url.href, ...nodes] };
}
