/** Addresses of the shop; everything else in the path is the server's. */
const OURS = /^\/(?:$|at\/|events\/|checkouts\/|tickets$|staff(?:\/|$))/;

/** Where the visitor is. */
class Router {
  path = $state(location.pathname);
  /** Each step, also to the same address: pages move the focus by it. */
  steps = $state(0);

  constructor() {
    addEventListener('popstate', () => this.#arrive());
    document.addEventListener('click', (event) => this.#follow(event));
  }

  go(path: string, { replace = false } = {}): void {
    if (replace) history.replaceState(null, '', path);
    else history.pushState(null, '', path);
    this.#arrive();
    scrollTo(0, 0);
  }

  #arrive(): void {
    this.path = location.pathname;
    this.steps += 1;
  }

  /** A plain click on a link of ours; with a key held it opens where the visitor wants it. */
  #follow(event: MouseEvent): void {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || !isPlain || event.altKey || event.defaultPrevented || link.target) return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || !OURS.test(url.pathname)) return;
    if (url.hash && url.pathname === location.pathname) return;
    event.preventDefault();
    this.go(url.pathname + url.search);
  }
}

export const router = new Router();
