/** As libpq writes them: `postgres://user:password@h1:5432,h2:5432/database?…`. */
const FORM = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#@]*)(.*)$/;
/** A cluster has three or five servers; a longer list is a mistake, and each costs seconds. */
const MOST_HOSTS = 8;
/** Both mean the one server that accepts writes; the others ask for servers that need not. */
const ATTRIBUTES = ['read-write', 'primary'];
const ATTRIBUTE = 'target_session_attrs';

type Parts = Readonly<{ scheme: string; login: string; hosts: readonly string[]; rest: string }>;

function partsOf(text: string): Parts | null {
  const [, scheme, login, hosts, rest] = FORM.exec(text) ?? [];
  if (scheme === undefined || login === undefined || rest === undefined) return null;
  return { scheme, login, hosts: (hosts ?? '').split(','), rest };
}

const withHost = ({ scheme, login, rest }: Parts, host: string) =>
  `${scheme}${login}${host}${rest}`;

const NO_ADDRESS = 'is not an address of the form postgres://… or postgresql://…';

/**
 * What is wrong with an address of a database; null: nothing. The address may hold a password, so
 * that the sentence never repeats any of it.
 */
export function addressProblem(text: string): string | null {
  const parts = partsOf(text);
  if (!parts) return NO_ADDRESS;
  const { hosts } = parts;
  if (hosts.length > MOST_HOSTS) return `names more than ${MOST_HOSTS} hosts`;
  const wrong = hosts.findIndex((host) => !isHost(parts, host));
  if (wrong >= 0) {
    const which = hosts.length === 1 ? 'has a host' : `has a host (number ${wrong + 1})`;
    return `${which} that is neither name, name:port nor [IPv6]:port`;
  }
  const single = withHost(parts, hosts[0] ?? '');
  if (!URL.canParse(single)) return NO_ADDRESS;
  const asked = new URL(single).searchParams;
  if (hosts.length > 1 && (asked.has('host') || asked.has('port'))) {
    return 'names hosts twice: before the name of the database and as host= or port=';
  }
  if (asked.get('host')?.includes(',')) {
    return 'has several hosts in host=; write postgres://h1:5432,h2:5432/database instead';
  }
  const attribute = asked.get(ATTRIBUTE) ?? 'read-write';
  if (ATTRIBUTES.includes(attribute)) return null;
  return `has a ${ATTRIBUTE} that is not read-write: seats are sold by writing`;
}

/** A single empty host is the driver's default; among others it is a typing error. */
function isHost(parts: Parts, host: string): boolean {
  if (host === '') return parts.hosts.length === 1;
  if (/\s/.test(host) || host.endsWith(':')) return false;
  const [, port] = /:(\d+)$/.exec(host) ?? [];
  if (port !== undefined && Number(port) === 0) return false;
  return URL.canParse(withHost(parts, host));
}

/** One address for each host, in the order in which they are tried. */
export function hostUrls(text: string): readonly string[] {
  const parts = partsOf(text);
  if (!parts) return [text];
  return parts.hosts.map((host) => {
    const url = new URL(withHost(parts, host));
    if (!url.searchParams.has(ATTRIBUTE)) return withHost(parts, host);
    url.searchParams.delete(ATTRIBUTE);
    return url.href;
  });
}

/** The same change for an address, whatever number of hosts it has. */
export function editAddress(text: string, edit: (url: URL) => void): string {
  const parts = partsOf(text);
  const single = new URL(parts ? withHost(parts, parts.hosts[0] ?? '') : text);
  edit(single);
  if (!parts || parts.hosts.length === 1) return single.href;
  const edited = partsOf(single.href);
  return edited ? withHost(edited, parts.hosts.join(',')) : single.href;
}

/** Host and port, for a sentence: nothing else of an address is fit to be printed. */
export function hostOf(url: string): string {
  const { host, searchParams } = new URL(url);
  return searchParams.get('host') ?? (host || 'the default host');
}

/**
 * Which of the hosts new connections go to, and which connections are still good. All pools of a
 * node share one, so that the first that finds another primary finds it for all.
 */
export class Servers {
  readonly count: number;
  #current = 0;
  #generation = 0;

  constructor(count: number) {
    this.count = count;
  }

  get current(): number {
    return this.#current;
  }

  /** Connections of an earlier generation are not used again. */
  get generation(): number {
    return this.#generation;
  }

  /** This host was of no use; the next one is tried. Others may have moved on already. */
  passOver(host: number): void {
    if (host === this.#current) this.#current = (host + 1) % this.count;
  }

  /**
   * The server accepts no writes any more: a primary that became a standby. The address may lead
   * to another one by now, and only new connections find that out.
   */
  leave(generation: number): void {
    if (generation === this.#generation) this.#generation++;
  }
}
