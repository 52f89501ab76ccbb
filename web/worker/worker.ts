/**
 * Worker: keeps the app itself and the drawings of halls in the browser, so that the shop opens at
 * once and says what is wrong when there is no network. It never keeps an answer about a person.
 */
/// <reference lib="webworker" />
declare const self: ServiceWorkerGlobalScope & { __SHELL__: readonly string[] };

export type {};

/** The build puts the list of the app's files here. */
const SHELL = self.__SHELL__;
const APP = `app-${hashOf(SHELL.join())}`;
const DRAWINGS = 'drawings-1';
/** A drawing of 100,000 seats is about a megabyte; the last few halls are enough. */
const MOST_DRAWINGS = 6;

function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  return (hash >>> 0).toString(16);
}

self.addEventListener('install', (event) => {
  const keep = async () => {
    await (await caches.open(APP)).addAll([...SHELL]);
    await self.skipWaiting();
  };
  event.waitUntil(keep());
});

self.addEventListener('activate', (event) => {
  const tidy = async () => {
    const old = (await caches.keys()).filter((name) => name !== APP && name !== DRAWINGS);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(tidy());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (/^\/api\/events\/[^/]+\/seatmap$/.test(pathname)) event.respondWith(drawing(request));
  else if (pathname.startsWith('/assets/')) event.respondWith(asset(request));
  else if (request.mode === 'navigate' && isOfTheApp(pathname)) event.respondWith(page(request));
});

/** Pages that the server draws itself are none of the app's. */
function isOfTheApp(path: string): boolean {
  return !/^\/(?:api|demo|docs|health|metrics|openapi\.json|embed|schemas)(?:\/|$)/.test(path);
}

/** The newest page if there is a network, else the one we have. */
async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match('/', { cacheName: APP });
    if (kept) return kept;
    throw error;
  }
}

/** Their names change with their content. */
async function asset(request: Request): Promise<Response> {
  return (await caches.match(request, { cacheName: APP })) ?? fetch(request);
}

/**
 * The plan of a hall is about seats, never about people. The kept one answers at once and is
 * checked for the next time: a hall hardly ever changes while it sells.
 */
async function drawing(request: Request): Promise<Response> {
  const cache = await caches.open(DRAWINGS);
  const mustBeNew = request.cache === 'no-cache' || request.cache === 'reload';
  const fresh = fetch(new Request(request.url, { cache: 'no-cache' })).then(async (reply) => {
    if (reply.ok) await keepDrawing(cache, request.url, reply.clone());
    return reply;
  });
  const kept = await cache.match(request.url);
  if (!kept || mustBeNew) return fresh;
  fresh.catch(() => {});
  return kept;
}

async function keepDrawing(cache: Cache, url: string, reply: Response): Promise<void> {
  await cache.delete(url);
  await cache.put(url, reply);
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, -MOST_DRAWINGS).map((old) => cache.delete(old)));
}
