import type { AnyRequest } from './exchange.ts';

type Asking = Pick<
  AnyRequest,
  'principal' | 'params' | 'body' | 'method' | 'url' | 'routeOptions'
> & {
  /** Of a route about an event that needs no credential. */
  readonly eventScope?: Readonly<{ organizationId: string }> | null;
};

/** Whose request it was and what it was about, as a line of level warn or above says it. */
export function requestIds(request: Asking) {
  const { principal, eventScope, method, url } = request;
  return {
    organization_id: principal?.organizationId ?? eventScope?.organizationId ?? null,
    event_id: eventIdIn(request),
    // A hold or a checkout is named in it. The query may have a credential.
    request: `${method} ${url.replace(/\?.*/s, '')}`,
  };
}

/** In the path, or in the body where a basket is checked out; null: the route is about no event. */
function eventIdIn({ params, body, routeOptions }: Asking): string | null {
  const { event_id, id } = (params ?? {}) as { event_id?: unknown; id?: unknown };
  const isOfEvents = routeOptions.url?.startsWith('/api/admin/events/:id') ?? false;
  const inBody = (body as { event_id?: unknown } | null | undefined)?.event_id;
  const found = [event_id, isOfEvents ? id : undefined, inBody].find((one) => isText(one));
  return isText(found) ? found.toLowerCase() : null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
