import { organizationEvents, type PublicEvent } from '@voelgoed/engine/workflows';
import { EMPTY_ICON, type Http } from '#http';
import type { RouteContext } from './context.ts';
import { nodeState } from './health.ts';

/** A page for the first look: what runs here and where to go next. */
export function registerHome(http: Http, context: RouteContext): void {
  http.get(
    '/',
    { config: { access: { kind: 'open' } }, schema: { hide: true } },
    async (_, reply) => {
      const { parts, ready } = await nodeState(context);
      const events = ready && context.demo ? await demoEvents(context) : [];
      return reply.type('text/html; charset=utf-8').send(page(parts, ready, events));
    },
  );
}

async function demoEvents({ engine }: RouteContext): Promise<readonly PublicEvent[]> {
  return (await organizationEvents(engine, 'demo')) ?? [];
}

function eventRow({ event_id, name, status, starts_at, occupancy }: PublicEvent): string {
  const { available, total } = occupancy;
  return `<tr><th scope="row"><a href="/api/events/${event_id}">${escapeHtml(name)}</a></th>
  <td>${escapeHtml(status)}</td><td>${starts_at.slice(0, 10)}</td>
  <td>${available} of ${total} free</td></tr>`;
}

function page(
  parts: Record<string, string>,
  ready: boolean,
  events: readonly PublicEvent[],
): string {
  const rows = Object.entries(parts).map(
    ([name, state]) =>
      `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(state)}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="${EMPTY_ICON}">
<title>Voelgoed Seating</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 42rem; margin: 3rem auto; padding: 0 1rem; }
  h1 { margin-bottom: 0; }
  table { border-collapse: collapse; margin: 1rem 0; }
  th, td { text-align: left; padding: .35rem 1.5rem .35rem 0; border-bottom: 1px solid #8884; }
  .state { font-weight: 600; }
</style>
</head>
<body>
<main>
<h1>Voelgoed Seating</h1>
<p>A seat reservation engine.
This node is <span class="state">${ready ? 'ready' : 'not ready'}</span>.</p>
<table><caption hidden>Parts of this node</caption><tbody>${rows.join('')}</tbody></table>
${events.length > 0 ? `<h2>Demo events</h2><table>${events.map(eventRow).join('')}</table>` : ''}
<ul>
  <li><a href="/docs">API reference</a> (<a href="/openapi.json">OpenAPI file</a>)</li>
  <li><a href="/health/ready">Health</a> and <a href="/metrics">metrics</a></li>
</ul>
</main>
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
