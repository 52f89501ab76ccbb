import type { Clock, Random, Timers } from '@voelgoed/engine/kit';

/** What a buyer does is asked of the API like anybody else does, by these means. */
export type BuyerTools = Readonly<{
  server: string;
  token: string;
  clock: Clock & Timers;
  random: Random;
  stopping: AbortSignal;
}>;

export type EventZone = Readonly<{
  zone_id: string;
  zone_type: string;
  access_mode: string;
  available: number;
}>;

export type BuyerEnd = Readonly<{
  held: number;
  sold: number;
  released: number;
  refused: number;
}>;

type Answer = { data?: Record<string, unknown>; error?: string };
type HeldCart = { holds?: { hold_id: string; quantity: number }[] };

/** How long people look before they go on. */
const LEAST_PAUSE_MS = 400;
const MOST_PAUSE_MS = 3_000;
/** Parties as they come: pairs most of all. */
const PARTIES = [1, 1, 2, 2, 2, 2, 2, 3, 3, 4, 4, 5, 6];
const WITH_SEATS = ['reserved_seating', 'vip_reserved'];
/** Of all who hold something: so many change their mind, and so many just leave. */
const GIVES_BACK = 0.12;
const LEAVES = 0.12;
const DECLINED = 0.1;

/** One visit: look, hold, perhaps pay. */
export async function simulateBuyer(
  tools: BuyerTools,
  eventId: string,
  zones: readonly EventZone[],
): Promise<BuyerEnd> {
  const { random } = tools;
  const cart = await takeSeats(tools, eventId, zones);
  if (!cart) return { held: 0, sold: 0, released: 0, refused: 1 };
  const held = (cart.holds ?? []).reduce((sum, { quantity }) => sum + quantity, 0);
  await pause(tools);
  const mood = random.next();
  if (mood < GIVES_BACK) {
    await ask(tools, 'DELETE', `/api/events/${eventId}/holds`);
    return { held, sold: 0, released: held, refused: 0 };
  }
  if (mood < GIVES_BACK + LEAVES) return { held, sold: 0, released: 0, refused: 0 };
  const paid = await payFor(tools, eventId);
  return { held, sold: paid ? held : 0, released: 0, refused: 0 };
}

async function takeSeats(
  tools: BuyerTools,
  eventId: string,
  zones: readonly EventZone[],
): Promise<HeldCart | null> {
  const open = zones.filter(({ access_mode }) => access_mode === 'public');
  const zone = pick(tools.random, open);
  const quantity = pick(tools.random, PARTIES) ?? 2;
  if (!zone) return null;
  const [path, body] = WITH_SEATS.includes(zone.zone_type)
    ? ['holds/best-available', { quantity, zone_ids: [zone.zone_id] }]
    : ['holds', { items: [{ zone_id: zone.zone_id, quantity }] }];
  const { data } = await ask(tools, 'POST', `/api/events/${eventId}/${path}`, body);
  return (data as HeldCart | undefined) ?? null;
}

async function payFor(tools: BuyerTools, eventId: string): Promise<boolean> {
  const started = await ask(tools, 'POST', '/api/checkouts', { event_id: eventId });
  const id = started.data?.checkout_id;
  if (typeof id !== 'string') return false;
  await pause(tools);
  if (tools.random.next() < DECLINED) await payOnce(tools, id, 'decline');
  return payOnce(tools, id, 'success');
}

/** The provider's page has buttons; pressing one makes it send its message. */
async function payOnce(tools: BuyerTools, checkoutId: string, action: string): Promise<boolean> {
  const begun = await ask(tools, 'POST', `/api/checkouts/${checkoutId}/pay`, {});
  const url = begun.data?.pay_url;
  if (typeof url !== 'string') return begun.data?.status === 'completed';
  await pause(tools);
  const page = `${tools.server}${new URL(url).pathname}${new URL(url).search}`;
  const body = new URLSearchParams({ action });
  const pressed = await fetch(page, { method: 'POST', body, signal: tools.stopping });
  await pressed.body?.cancel();
  return pressed.ok && action === 'success';
}

async function ask(
  { server, token, stopping }: BuyerTools,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const reply = await fetch(`${server}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: stopping,
  });
  return (await reply.json()) as Answer;
}

function pick<Item>(random: Random, items: readonly Item[]): Item | undefined {
  return items[Math.floor(random.next() * items.length)];
}

function pause({ clock, random, stopping }: BuyerTools): Promise<void> {
  const time_ms = LEAST_PAUSE_MS + random.next() * (MOST_PAUSE_MS - LEAST_PAUSE_MS);
  return clock.sleep(time_ms, stopping);
}
