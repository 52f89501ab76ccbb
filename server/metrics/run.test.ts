import { untilServed } from '@voelgoed/testkit/servers';
import { useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { buyer, database, node, show } = useShows();

/** Every series by its whole name, labels included. */
async function metrics(): Promise<Map<string, number>> {
  const text = await (await fetch(`${node().address}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

function counted<Value>(values: readonly Value[]): Map<Value, number> {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

describe('a run', () => {
  it('is counted as its client has counted', async () => {
    const { eventId, seats } = await show();
    const before = await metrics();
    const buyers = Array.from({ length: 8 }, () => buyer());
    // Everybody wants every third seat, all at once: most of them come too late.
    const wanted = buyers.flatMap((one) =>
      seats
        .filter((_, index) => index % 3 === 0)
        .map((seat) => untilServed(() => one.reserve(eventId, seat))),
    );
    const replies = (await Promise.all(wanted)).flat();
    const after = await metrics();
    const grew = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);

    // Exact while the machine keeps up; a 503 may come before or after the attempt was counted.
    const served = replies.filter(({ status }) => status !== 503);
    const refused = served.filter(({ status }) => status >= 400);
    const held = replies.filter(({ status }) => status === 201).length;
    expect(held).toBe(7);
    expect(grew('voelgoed_hold_attempt_total')).toBeGreaterThanOrEqual(served.length);
    expect(grew('voelgoed_hold_attempt_total')).toBeLessThanOrEqual(replies.length);
    expect(grew('voelgoed_hold_success_total')).toBe(held);
    expect(grew('voelgoed_hold_seats_total')).toBe(held);
    expect(grew('voelgoed_hold_seconds_count')).toBe(held);
    expect(grew('voelgoed_seat_changes_total{before="available",after="held"}')).toBe(held);
    for (const [code, times] of counted(refused.map(({ body }) => String(body.error)))) {
      expect(grew(`voelgoed_hold_conflict_total{code="${code}"}`)).toBe(times);
      expect(grew(`voelgoed_refusals_total{code="${code}"}`)).toBe(times);
    }
    const route = '/api/events/:event_id/seats/:seat_id/reserve';
    for (const [status, times] of counted(served.map((reply) => reply.status))) {
      const labels = `method="POST",route="${route}",status="${status}"`;
      expect(grew(`voelgoed_http_request_seconds_count{${labels}}`)).toBe(times);
    }
    const [row] = await database.asSuperuser(
      `select count(*)::int as holds from seat_holds where event_id = $1`,
      [eventId],
    );
    expect(row?.holds).toBe(held);
  });

  it('has ids in the labels of the worst events alone', async () => {
    const { eventId, seats } = await show();
    await buyer().reserve(eventId, seats[0] ?? '');
    const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-/;
    const named = [...(await metrics()).keys()].filter((name) => uuid.test(name));
    expect(named.filter((name) => !name.startsWith('voelgoed_worst_event_'))).toEqual([]);
  });
});
