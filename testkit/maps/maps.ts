/**
 * The seat map in a real page, without a server: its own bundle and a drawing, from an address that
 * only this page can reach. It knows how to open one; what is done on it is up to the tests.
 */
import { fileURLToPath } from 'node:url';
import type { Drawing } from '@voelgoed/web/scene';
import type { Page } from 'playwright-core';
import { build } from 'vite';

export { fingersOn } from './fingers.ts';

const WEB = fileURLToPath(new URL('../../web/', import.meta.url));
const ORIGIN = 'http://map.test';

/** One room of the web house and all it needs, as a module; built once per process. */
const bundles = new Map<string, Promise<string>>();

function bundleOf(room: string): Promise<string> {
  const known = bundles.get(room) ?? bundle(room);
  bundles.set(room, known);
  return known;
}

async function bundle(room: string): Promise<string> {
  const made = await build({
    configFile: false,
    root: WEB,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: `${WEB}${room}/${room}.ts`, formats: ['es'], fileName: room },
    },
  });
  const outputs = (Array.isArray(made) ? made : [made]).flatMap((one) =>
    'output' in one ? one.output : [],
  );
  const [chunk] = outputs;
  if (chunk?.type !== 'chunk') throw new Error(`no bundle of ${room}`);
  return chunk.code;
}

/** `options` is the text of an object, because it may hold functions. */
const pageOf = (options: string) => `<!doctype html>
<html lang="en"><head><title>A seat map</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>html, body, #host { margin: 0; height: 100%; }</style></head>
<body><div id="host"></div><script type="module">
import * as door from '/map.js';
const reply = await fetch('/drawing.json');
const text = await reply.text();
const begun = performance.now();
const drawing = JSON.parse(text).data;
globalThis.door = door;
globalThis.drawing = drawing;
const host = document.getElementById('host');
globalThis.seatMap = door.createSeatMap(host, { drawing, ...${options} });
globalThis.built_ms = performance.now() - begun;
// The frame after the one in which it was painted.
requestAnimationFrame(() => requestAnimationFrame(() => {
  globalThis.first_paint_ms = performance.now() - begun;
}));
</script></body></html>`;

/** Opens a page with a map in it, as `globalThis.seatMap`, and waits until it has painted. */
export async function openMap(page: Page, drawing: Drawing, options = '{}'): Promise<void> {
  const script = await bundleOf('map');
  const answers: Record<string, readonly [type: string, body: string]> = {
    '/': ['text/html', pageOf(options)],
    '/map.js': ['text/javascript', script],
    '/drawing.json': ['application/json', JSON.stringify({ data: drawing })],
  };
  await page.route(`${ORIGIN}/**`, (route) => {
    const [contentType, body] = answers[new URL(route.request().url()).pathname] ?? ['', ''];
    return route.fulfill({ status: contentType ? 200 : 404, contentType, body });
  });
  const failures: Error[] = [];
  page.on('pageerror', (error) => failures.push(error));
  await page.goto(`${ORIGIN}/`);
  const failed = () => failures[0];
  await page
    .waitForFunction('globalThis.first_paint_ms > 0 && globalThis.seatMap.isSettled')
    .catch((error) => Promise.reject(failed() ?? error));
}
