import { systemClock, systemRandom } from '@voelgoed/engine/kit';
import { loginUrl, Postgres } from '@voelgoed/engine/postgres';
import type { Telemetry } from '@voelgoed/engine/telemetry';
import type { Engine } from '@voelgoed/engine/workflows';
import { LayoutCache, Workshop } from '@voelgoed/engine/workshop';

/** Where the serving roles log in. */
export function servingUrls(services: { ownerUrl: string; authSecret: string }) {
  const { ownerUrl, authSecret } = services;
  return {
    appUrl: loginUrl(ownerUrl, 'voelgoed_app', authSecret),
    jobsUrl: loginUrl(ownerUrl, 'voelgoed_jobs', authSecret),
  };
}

export function openEngine(
  services: { ownerUrl: string; authSecret: string },
  telemetry: Telemetry,
): Engine {
  const tools = { clock: systemClock, random: systemRandom, telemetry };
  const postgres = new Postgres({ ...servingUrls(services), ...tools });
  return { ...tools, postgres, layouts: new LayoutCache(postgres), workshop: new Workshop() };
}

export async function closeEngine(engine: Engine): Promise<void> {
  await engine.workshop.close();
  await engine.postgres.close();
}
