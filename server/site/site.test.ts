import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { useDatabase } from '@voelgoed/testkit/database';
import { call, useNode } from '@voelgoed/testkit/servers';
import { describe, expect, it } from 'vitest';

const database = useDatabase();
const node = useNode(database, { DEMO: '0', SHOP_ORGANIZATION: 'theatre-company' });

/** What a browser sends when somebody goes to a page. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
/** Read to its end: nothing is left on the wire. */
async function get(path: string, headers: Record<string, string> = BROWSER) {
  const reply = await fetch(`${node().address}${path}`, { headers, redirect: 'manual' });
  const body = Buffer.from(await reply.arrayBuffer());
  return { status: reply.status, headers: reply.headers, body, text: body.toString() };
}

/** The app's files as its page names them. */
async function assets(): Promise<string[]> {
  const page = (await get('/')).text;
  return [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((match) => match[1] ?? '');
}

describe('the web app', () => {
  it('is one page under all its addresses, which says what the server was told', async () => {
    const first = (await get('/')).text;
    expect(first).toContain('&quot;demo&quot;:false');
    expect(first).toContain('&quot;organization&quot;:&quot;theatre-company&quot;');
    for (const path of ['/events/x', '/checkouts/x', '/tickets', '/at/somebody']) {
      const reply = await get(path);
      expect([path, reply.status, reply.text]).toEqual([path, 200, first]);
    }
  });

  it.each([
    '/api/nothing',
    '/docs/nothing',
    '/health/nothing',
    '/metrics/nothing',
    '/webhooks/nothing',
    '/openapi.json/nothing',
    '/demo/nothing',
    '/assets/gone.js',
    '/nothing.png',
    '/../package.json',
    '/%2e%2e/package.json',
    '/.sources',
  ])('does not answer for %s', async (path) => {
    const reply = await get(path);
    expect(reply.status).toBe(404);
    expect(JSON.parse(reply.text)).toMatchObject({ error: 'not_found' });
  });

  it('has its entrances for programs that take anything, and only those', async () => {
    const page = (await get('/')).text;
    for (const headers of [{ accept: '*/*' }, {}] as Record<string, string>[]) {
      for (const path of ['/', '/staff', '/tickets']) {
        const reply = await get(path, headers);
        expect([path, reply.status, reply.text]).toEqual([path, 200, page]);
      }
      for (const path of ['/nothing', '/staff/nothing', '/api/staff', '/events/x']) {
        expect([path, (await get(path, headers)).status]).toEqual([path, 404]);
      }
    }
    const reply = await fetch(`${node().address}/staff`, { method: 'HEAD' });
    expect(reply.status).toBe(200);
  });

  it('does not answer programs that want no page', async () => {
    expect((await get('/staff', { accept: 'application/json' })).status).toBe(404);
    expect((await get('/events/x', { accept: 'application/json' })).status).toBe(404);
    const reply = await call(node().address, 'POST /tickets', { body: {} });
    expect(reply.status).toBe(404);
  });

  it('runs nothing but its own files', async () => {
    const policy = (await get('/')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain("frame-ancestors 'none'");
    const page = (await get('/')).text;
    expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|style="/);
  });

  it('has files that are kept for ever, compressed when they were built', async () => {
    const files = await assets();
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) {
      const reply = await get(file, { 'accept-encoding': 'gzip, br' });
      expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(reply.headers.get('content-encoding')).toBe('br');
      const [gzip, plain] = [{ 'accept-encoding': 'gzip' }, { 'accept-encoding': 'br;q=0' }];
      expect((await get(file, gzip)).headers.get('content-encoding')).toBe('gzip');
      expect((await get(file, plain)).headers.get('content-encoding')).toBeNull();
    }
  });

  it('has a page and a worker that are asked about each time, and seldom sent', async () => {
    for (const path of ['/', '/worker.js', '/manifest.webmanifest']) {
      const { headers } = await get(path);
      expect(headers.get('cache-control')).toBe('no-cache');
      const known = { ...BROWSER, 'if-none-match': headers.get('etag') ?? '' };
      expect((await get(path, known)).status).toBe(304);
    }
  });

  it('can be installed', async () => {
    const manifest = JSON.parse((await get('/manifest.webmanifest')).text);
    expect(manifest).toMatchObject({ display: 'standalone', start_url: '/' });
    for (const { src } of manifest.icons as { src: string }[]) {
      expect([src, (await get(src)).status]).toEqual([src, 200]);
    }
    const worker = (await get('/worker.js')).text;
    for (const file of await assets()) expect(worker).toContain(file);
  });

  it('is small: the first page, and the whole shop with its map', async () => {
    const sizeOf = async (files: readonly string[]) => {
      const bodies = await Promise.all(files.map(async (file) => (await get(file)).body));
      return bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
    };
    const worker = (await get('/worker.js')).text;
    const [shop = ''] = /\["\/"[^\]]*\]/.exec(worker) ?? [];
    // What it is today, and a little room: growth is meant, or it is a mistake.
    expect(await sizeOf(['/', ...(await assets())])).toBeLessThan(70_000);
    expect(await sizeOf(JSON.parse(shop))).toBeLessThan(140_000);
  });

  it('has its icon in the repository as it is served', async () => {
    const file = new URL('../../web/public/icon.svg', import.meta.url);
    expect((await get('/icon.svg')).text).toBe(await readFile(file, 'utf8'));
  });
});
