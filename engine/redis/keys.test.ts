import { useCluster } from '@voelgoed/testkit/redises';
import { describe, expect, it } from 'vitest';
import { uuidOf } from '#kit';
import { CHANGES_PATTERN, eventKeys, eventOfChannel, organizationKeys } from './keys.ts';

const ORGANIZATION = uuidOf('organization');
const EVENT = uuidOf('event');

/** Every key there is, with everything in it that can vary. */
function allOf(eventId: string): string[] {
  const keys = eventKeys(ORGANIZATION, eventId);
  return Object.values(keys).map((key) => (typeof key === 'string' ? key : key(uuidOf('part'))));
}

describe('keys', () => {
  const cluster = useCluster();
  const slotOf = (key: string) => cluster().nodes[0]?.command('cluster', 'keyslot', key);

  it('begin with their organization', () => {
    const own = organizationKeys(ORGANIZATION);
    const others = [own.layoutConfig(uuidOf('layout'), 3), own.limit('holds', 'somebody')];
    for (const key of [...allOf(EVENT), ...others]) {
      expect(key).toMatch(new RegExp(`^voelgoed:\\{org:${ORGANIZATION}[:}]`));
    }
  });

  it('of one event are in one slot, those of another are not', async () => {
    const slots = await Promise.all(allOf(EVENT).map(slotOf));
    expect(new Set(slots).size).toBe(1);
    const others = await Promise.all(allOf(uuidOf('another event')).map(slotOf));
    expect(others[0]).not.toBe(slots[0]);
  });

  it('of a channel say whose it is, and the pattern finds it', () => {
    const { changes, seatHolds } = eventKeys(ORGANIZATION, EVENT);
    expect(eventOfChannel(changes)).toBe(EVENT);
    expect(eventOfChannel(seatHolds)).toBeNull();
    const pattern = CHANGES_PATTERN.replace(/[{}]/g, '\\$&').replaceAll('*', '.*');
    expect(changes).toMatch(new RegExp(`^${pattern}$`));
  });
});
