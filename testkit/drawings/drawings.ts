/**
 * Drawings of real halls, made the way the server makes them: the generator draws a config, the
 * workshop judges it and writes the drawing that buyers get. It knows no event and no database.
 */
import { gunzipSync } from 'node:zlib';
import { changePolicy, DEFAULT_POLICY } from '@voelgoed/engine/policies';
import { Workshop } from '@voelgoed/engine/workshop';
import type { Drawing } from '@voelgoed/web/scene';

/** The drawing of a generator's spec, as `GET /api/events/{event_id}/seatmap` answers it. */
export async function drawingOf(spec: Readonly<Record<string, unknown>>): Promise<Drawing> {
  const workshop = new Workshop();
  try {
    const text = JSON.stringify(spec);
    const policy = everythingAllowed();
    const made = await workshop.do({ kind: 'generate', text, policy });
    if (made.kind !== 'layout') throw new Error(JSON.stringify(made));
    const version = { layout_id: '00000000-0000-4000-8000-000000000001', layout_version: 1 };
    const drawn = await workshop.do({ kind: 'draw', text: made.config, ...version });
    if (drawn.kind !== 'drawing') throw new Error(JSON.stringify(drawn));
    return JSON.parse(gunzipSync(drawn.gzip).toString()).data;
  } finally {
    await workshop.close();
  }
}

function everythingAllowed() {
  const outcome = changePolicy(DEFAULT_POLICY, { allow_vip_zones: true }, 'platform');
  if (outcome.kind !== 'policy') throw new Error(JSON.stringify(outcome));
  return outcome.policy;
}
