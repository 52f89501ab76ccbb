import { eventually } from '@voelgoed/testkit/eventually';
import { useRedis } from '@voelgoed/testkit/redises';
import { holdOf, type Sale, useSales, useWarmNodes } from '@voelgoed/testkit/sales';
import { describe, expect, it } from 'vitest';
import { eventKeys } from '#redis';
import type { Claim } from '#registry';

describe('claims', () => {
  const redis = useRedis();
  const sales = useSales();
  const node = useWarmNodes(sales, () => redis().url);

  async function aClaimant(sale: Sale) {
    const { registry, tier } = await node();
    const board = await registry.board(sale);
    if (!board) throw new Error('it is on sale');
    return {
      claim: (buyer: number, ...seats: number[]) => {
        const wanted = seats.map((seat) => sale.seats[seat] ?? '');
        return tier.claims.claim(sale, board, holdOf(sale.buyers[buyer] ?? '', wanted));
      },
      giveBack: (claim: Claim) => tier.claims.giveBack(sale, claim),
    };
  }

  const keyOf = (sale: Sale, seat: number) =>
    eventKeys(sale.scope.organizationId, sale.eventId).seatHold(sale.seats[seat] ?? '');
  const claimOf = (claimed: unknown) => (claimed as { claim: Claim | null }).claim;

  it('are for all seats of a wish or for none', async () => {
    const sale = await sales.open();
    const { claim } = await aClaimant(sale);
    expect(claimOf(await claim(0, 1))).not.toBeNull();
    expect(claimOf(await claim(1, 0, 1, 2))).toBeNull();
    expect(await redis().command('exists', keyOf(sale, 0), keyOf(sale, 2))).toBe(0);
    expect(Number(await redis().command('pttl', keyOf(sale, 1)))).toBeLessThanOrEqual(5_000);
  });

  it('of the same buyer are no obstacle', async () => {
    const sale = await sales.open();
    const { claim } = await aClaimant(sale);
    await claim(0, 1);
    expect(claimOf(await claim(0, 1, 2))).not.toBeNull();
  });

  it('travel together while one call is under way', async () => {
    const sale = await sales.open();
    const { claim } = await aClaimant(sale);
    const claimed = await Promise.all(sale.seats.map((_, seat) => claim(seat % 6, seat)));
    expect(claimed.map(claimOf).filter(Boolean)).toHaveLength(sale.seats.length);
  });

  it('are taken away only by whoever made them', async () => {
    const sale = await sales.open();
    const { claim, giveBack } = await aClaimant(sale);
    const late = claimOf(await claim(0, 1));
    // It has ended by itself, and somebody else is at the seat now.
    await redis().command('del', keyOf(sale, 1));
    const other = claimOf(await claim(1, 1));
    if (!late || !other) throw new Error('both were claimed');
    giveBack(late);
    giveBack({ seatIds: [sale.seats[2] ?? ''], value: 'nothing' });
    expect(claimOf(await claim(2, 1))).toBeNull();
    expect(await redis().command('get', keyOf(sale, 1))).toBe(other.value);
    giveBack(other);
    await eventually(async () => (await redis().command('exists', keyOf(sale, 1))) === 0);
  });
});
