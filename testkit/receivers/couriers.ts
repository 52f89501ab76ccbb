import { systemClock, systemRandom } from '@voelgoed/engine/kit';
import { PostgresStore } from '@voelgoed/engine/registry';
import { recordingTelemetry } from '@voelgoed/engine/telemetry';
import { Courier, type CourierTools } from '@voelgoed/engine/webhooks';
import { createPoster } from '@voelgoed/server/outgoing';
import { afterAll } from 'vitest';
import { anEngine } from '#builders';
import type { TestDatabase } from '#database';

/** Couriers without a node around them, whose time a test may move. */
export function useCouriers(database: TestDatabase) {
  const poster = createPoster({ allowInternal: true });
  afterAll(() => poster.close());
  return (parts: Partial<CourierTools> = {}) => {
    const { postgres } = database;
    const { webhookSecrets } = anEngine(postgres);
    const { plans } = new PostgresStore(postgres);
    const telemetry = recordingTelemetry();
    const tools = { clock: systemClock, random: systemRandom, telemetry, webhookSecrets, plans };
    const courier = new Courier({ ...tools, postgres, post: poster.post, ...parts });
    const work = async () => {
      await courier.round();
      await courier.settled();
    };
    return { courier, telemetry, work };
  };
}
