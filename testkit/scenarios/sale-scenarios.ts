import { systemClock } from '@voelgoed/engine/kit';
import { scopeOf } from '@voelgoed/engine/scope';
import { activateLayout, draftLayout } from '@voelgoed/engine/workflows';
import { CART, type CrowdWish } from '@voelgoed/faults/crowd';
import type { Asked } from '@voelgoed/faults/history';
import { aCaller, anEngine, done } from '#builders';
import { type Act, aHall, ownerToken, type Scenario } from '#rig';
import { call } from '#servers';

type Message = Asked & { op: 'message' };

/** What a provider may say about one payment, in this order, or all at once. */
const STORIES: readonly (readonly Message['type'][])[] = [
  ['payment.succeeded', 'payment.succeeded', 'payment.succeeded'],
  ['payment.failed', 'payment.succeeded'],
  ['payment.succeeded', 'payment.failed'],
  ['payment.succeeded', 'payment.refunded'],
  ['payment.refunded', 'payment.succeeded'],
  ['payment.failed', 'payment.failed', 'payment.succeeded', 'payment.failed'],
];
const AT_ONCE = 8;
/** Longer than anybody has to pay. */
const LATE_MS = 8_000;

const paymentMessages: Scenario = {
  name: 'payment-messages',
  sentence: 'payment messages twice, late, out of order, of wrong amounts',
  fault: async (act) => {
    const until_ms = systemClock.monotonic() + act.seconds * 1_000;
    let stories = 0;
    const late: Promise<void>[] = [];
    const named = namer(act);
    do {
      const many = Array.from({ length: AT_ONCE }, () => tellStory(act, named, stories++, late));
      await Promise.all(many);
    } while (systemClock.monotonic() < until_ms);
    await Promise.all(late);
    act.say(`${stories} payments with a story, ${late.length} of them told late`);
  },
};

type Named = (event: string, user: string, asked: Asked) => CrowdWish;

function namer({ seed }: Act): Named {
  let count = 0;
  return (event, user, asked) => {
    const wish = `${CART}${seed}-paid-${++count}`;
    return { wish, event, user, asked, key: `key-${wish}` };
  };
}

async function tellStory(
  { rig, stage, random }: Act,
  named: Named,
  story: number,
  late: Promise<void>[],
): Promise<void> {
  const organization = story % stage.length;
  const event = stage[organization]?.events[story % 2];
  const users = (await rig.crowd.tell({ kind: 'users' }))[organization] ?? [];
  const user = users[story % users.length] ?? '';
  if (!event) return;
  const say = async (asked: Asked, key: 'with' | 'without' = 'with') => {
    const wish = named(event.eventId, user, asked);
    const sent = key === 'with' ? wish : { ...wish, key: null };
    const [answer] = await rig.crowd.tell({ kind: 'send', wishes: [sent], node: null });
    return answer;
  };
  const seat_id = event.seats[Math.floor(random.next() * event.seats.length)] ?? '';
  const held = await say({ op: 'hold', items: [{ seat_id }] });
  const hold_ids = held?.holds.map(({ hold_id }) => hold_id) ?? [];
  if (hold_ids.length === 0) return;
  const started = await say({ op: 'checkout', hold_ids });
  const checkout_id = started?.told?.checkout_id;
  if (!checkout_id) return;
  const { attempt_id, amount_cents = 0 } = (await say({ op: 'pay', checkout_id }))?.told ?? {};
  if (!attempt_id) return;
  const types = STORIES[story % STORIES.length] ?? [];
  const isWrong = random.next() < 0.1;
  const messages = types.map((type, index): Message => {
    const message_id = `story-${attempt_id}-${type}-${index % 2}`;
    const amount = isWrong && index === 0 ? amount_cents + 1 : amount_cents;
    return { op: 'message', message_id, type, attempt_id, amount_cents: amount, hold_ids };
  });
  const tell = async () => {
    if (random.next() < 0.5) await Promise.all(messages.map((one) => say(one, 'without')));
    else for (const one of messages) await say(one, 'without');
    await say({ op: 'tickets', checkout_id });
  };
  if (random.next() < 0.15) late.push(systemClock.sleep(LATE_MS).then(tell));
  else await tell();
}

const layoutChange: Scenario = {
  name: 'layout-change',
  sentence: 'an event on sale gets another version of its layout while maps are open',
  fault: async (act) => {
    const { rig, stage, seconds, pause, say } = act;
    const [organization] = stage;
    const [event] = organization?.events ?? [];
    if (!organization || !event) return;
    const { postgres } = rig.database;
    const scope = scopeOf(organization.organizationId);
    const [row] = await rig.database.asSuperuser(LAYOUT, [event.eventId]);
    const layoutId = String(row?.layout_id);
    const engine = anEngine(postgres);
    const caller = aCaller({ scope });
    const text = JSON.stringify(aHall(organization.mark, undefined, true));
    const source = { kind: 'read', text } as const;
    const venueId = String(row?.venue_id);
    const draft = { layoutId, venueId, name: 'Plan', source };
    const drafted = done(await draftLayout(engine, caller, draft));
    const layout = done(await activateLayout(engine, caller, drafted.layout.layout_id));
    await engine.registry.stop();
    const route = `POST /api/admin/events/${event.eventId}/layout/migrate`;
    const address = rig.nodes[0]?.direct ?? '';
    const token = ownerToken(organization.organizationId);
    const body = { layout_id: layout.layout_id, mapping: {} };
    const moved = await call(address, route, { token, body });
    say(`version ${row?.version} to ${layout.version}: ${JSON.stringify(moved.data.done)}`);
    if (moved.status !== 200 || moved.data.done !== true) {
      act.found('I9', `the layout was not changed: ${JSON.stringify(moved.body).slice(0, 300)}`);
    }
    await pause(seconds);
  },
};

const LAYOUT = `select l.layout_id, e.layout_version as version, l.venue_id
  from event_layouts e join layouts l on l.organization_id = e.organization_id
    and l.layout_id = e.layout_id and l.version = e.layout_version
  where e.event_id = $1`;

export const SALE_SCENARIOS = [paymentMessages, layoutChange];
