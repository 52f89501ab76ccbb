import type { Happening } from '@voelgoed/engine/telemetry';
import { SAMPLES } from '@voelgoed/testkit/happenings';
import { expect, it } from 'vitest';
import { WITHOUT_EVENT } from './lines-without-event.ts';
import { LEVELS } from './metrics.ts';

const KINDS = Object.keys(LEVELS) as Happening['kind'][];
const LOUD = KINDS.filter((kind) => LEVELS[kind] === 'warn' || LEVELS[kind] === 'error');

function idsOf(happening: Happening): Readonly<Record<string, unknown>> {
  if (!('ids' in happening)) return {};
  return (typeof happening.ids === 'function' ? happening.ids() : happening.ids) ?? {};
}

it('every line of level warn and above names its organization and its event', () => {
  const unnamed = LOUD.filter((kind) => {
    const { organization_id, event_id } = idsOf(SAMPLES[kind]);
    return organization_id === undefined || event_id === undefined;
  });
  // Both ways: what names its event by now has no excuse any more.
  expect(unnamed.sort()).toEqual(Object.keys(WITHOUT_EVENT).sort());
});

it('lines about holds name the event, the seats and the people by their ids', () => {
  const kinds = KINDS.filter((kind) => kind.startsWith('hold.') && LEVELS[kind] !== null);
  const unnamed = kinds.filter((kind) => idsOf(SAMPLES[kind]).event_id === undefined);
  expect(unnamed).toEqual([]);
  const silent = ['attempt', 'success', 'extended', 'expired', 'converted_to_ticket'].filter(
    (name) => LEVELS[`hold.${name}` as Happening['kind']] === null,
  );
  expect(silent).toEqual([]);
});
