import { systemClock, systemRandom } from '@voelgoed/engine/kit';
import type { EventRef } from '@voelgoed/engine/registry';
import { type Happening, recordingTelemetry } from '@voelgoed/engine/telemetry';
import { WarmTier } from '@voelgoed/engine/warm';
import { afterEach } from 'vitest';
import type { TestNode, useSales } from './use-sales.ts';

export type WarmNode = TestNode &
  Readonly<{
    tier: WarmTier;
    /** What happened in the warm tier, and how often something did. */
    inTier: readonly Happening[];
    warmed(kind: Happening['kind']): number;
    /** What had to be told by other means than Redis. */
    toldOtherwise: readonly { eventId: string; revision: number }[];
  }>;

type Settings = NonNullable<Parameters<ReturnType<typeof useSales>['node']>[0]>;

/** A Redis that is back is noticed this soon. */
const PROBE_MS = 200;

/** Nodes that sell with a warm tier, closed behind each test. */
export function useWarmNodes(sales: ReturnType<typeof useSales>, urlOf: () => string) {
  const tiers: WarmTier[] = [];
  afterEach(async () => {
    await Promise.all(tiers.splice(0).map((tier) => tier.close()));
  });
  return async (settings: Settings & { url?: string; watches?: boolean } = {}) => {
    const { url = urlOf(), watches = true, ...given } = settings;
    const telemetry = recordingTelemetry();
    const toldOtherwise: { eventId: string; revision: number }[] = [];
    const tier = new WarmTier({
      url,
      clock: systemClock,
      random: systemRandom,
      telemetry,
      probe_ms: PROBE_MS,
      otherwise: {
        publish: ({ eventId }: EventRef, { revision }: { revision: number }) =>
          toldOtherwise.push({ eventId, revision }),
      },
    });
    tiers.push(tier);
    const { claims, watch, feed } = tier;
    const node = sales.node({ claims, watch, feed, ...given });
    tier.attach(node.registry);
    await tier.connect();
    if (watches) tier.start();
    const { happenings } = telemetry;
    const warmed = (kind: Happening['kind']) =>
      happenings.filter((one) => one.kind === kind).length;
    return { ...node, tier, inTier: happenings, warmed, toldOtherwise } satisfies WarmNode;
  };
}
