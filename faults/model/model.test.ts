import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from '@voelgoed/engine/board';
import { GUARDS } from '@voelgoed/testkit/controls';
import { describe, expect, it } from 'vitest';
import { modelText, search, typecheck } from './model.ts';

const ROOT = dirname(dirname(import.meta.dirname));
const text = modelText();

/** Every command of a board: modelled, or why not. A new one has to be thought about here. */
const COMMANDS: Readonly<Record<Command['kind'], 'modelled' | `not: ${string}`>> = {
  hold: 'modelled',
  extend: 'modelled',
  lengthen: 'not: an extension by staff, with the time from now',
  release: 'modelled',
  reduce: 'not: places of a zone, of which the model has one of each kind',
  sweep: 'modelled',
  begin_payment: 'modelled',
  payment_message: 'modelled',
  sell: 'modelled',
  start_checkout: 'not: it names holds and prices; begin_payment stands for both',
  cancel_checkout: 'not: a release of what is in it',
  end_ticket: 'not: staff take a sold seat back, under the same lock',
  reseat: 'not: an end and a sale in one commit',
  owe_tickets: 'not: money, not seats',
  block: 'not: a sale to nobody',
  unblock: 'not: the end of it',
  change_event_state: 'not: it decides what is refused, not who has a seat',
  change_config: 'not: it decides what is refused, not who has a seat',
};

/** Steps on the way from a wish to its answer, with what they are called in the code. */
const STEPS: Readonly<Record<string, readonly [file: string, words: string]>> = {
  claim: ['engine/registry/ports.ts', 'claim(event: EventRef'],
  giveBack: ['engine/registry/ports.ts', 'giveBack(event: EventRef'],
  lockEvent: ['engine/registry/flush.sql.ts', 'export const lockEvent'],
  commit: ['engine/postgres/connection.ts', 'async commit('],
  settle: ['engine/registry/writer.ts', '#settle(opened'],
  answer: ['engine/registry/writer.ts', 'told.tell(decided.answers)'],
  writeThrough: ['engine/warm/write-through.ts', 'class WriteThrough'],
  hear: ['engine/registry/seat-registry.ts', 'hear('],
};

/** What happens to nodes, Postgres and Redis, and to people. */
const HAPPENS = [
  ...['again', 'loseAnswer', 'endTransaction', 'crash', 'forget', 'tick'],
  ...['cut', 'link', 'failOver'],
];
/** How a trace begins and goes on. */
const FRAME = [
  ...['asks', 'about', 'begins', 'init', 'guarded', 'weakened', 'goesOn', 'around', 'step'],
  'undurable',
];

const namesIn = (set: string) => {
  const [, list = ''] = new RegExp(`pure val ${set} = Set\\(([^)]*)\\)`).exec(text) ?? [];
  return [...list.matchAll(/"(\w+)"/g)].map(([, name = '']) => name);
};

describe('the model speaks as the code does', () => {
  const modelled = Object.entries(COMMANDS).flatMap(([kind, how]) =>
    how === 'modelled' ? [kind] : [],
  );
  const actions = [...text.matchAll(/^ {2}action (\w+)/gm)].map(([, name = '']) => name);

  it('about commands: each has an action of its name, and each kind is thought of', () => {
    expect(namesIn('COMMANDS').sort()).toEqual([...modelled].sort());
    expect(actions).toEqual(expect.arrayContaining(modelled));
  });

  it('about steps: each is called so in the code', () => {
    for (const [step, [file, words]] of Object.entries(STEPS)) {
      expect(text).toMatch(new RegExp(`^ {2}(?:action|def) ${step}\\(`, 'm'));
      expect([step, readFileSync(join(ROOT, file), 'utf8').includes(words)]).toEqual([step, true]);
    }
  });

  it('and has no action that is neither', () => {
    const known = [...modelled, ...Object.keys(STEPS), ...HAPPENS, ...FRAME];
    expect(actions.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('about guards: its switches are those that the list of guards names', () => {
    const listed = GUARDS.flatMap(({ model }) => model ?? []);
    expect(namesIn('GUARDS').sort()).toEqual(listed.sort());
    const [, weakened = ''] = /WEAKENED = Set\(([\s\S]*?)\)\n {2}action/.exec(text) ?? [];
    for (const guard of listed) expect(weakened).toContain(`"${guard}"`);
  });
});

const SEES = [
  ...['seesSale', 'seesTakeover', 'seesUnheardCommit', 'seesKeyAgain', 'seesRefusedWrite'],
  ...['seesVisibleOnly', 'seesLostUnanswered'],
];
const FAR = 'missesDurableAnswers';
const MISSES = [...text.matchAll(/val (misses\w+)/g)]
  .map(([, name = '']) => name)
  .filter((name) => name !== FAR);

/** A walk of fixed seeds: it finds what it found before, on every machine. */
const WALK = { steps: 40, seed: 1 };
const PATIENT_MS = 180_000;

describe('the model', () => {
  it(
    'is well formed',
    async () => {
      expect(await typecheck()).toBe('');
    },
    PATIENT_MS,
  );

  it(
    'keeps every promise with all guards, and with one that another covers',
    async () => {
      const found = await search('safe', {
        ...{ ...WALK, from: 'guarded', traces: 250, witnesses: SEES },
      });
      expect(found.isSafe, found.output).toBe(true);
      // And it was no walk in which nothing happens.
      for (const name of SEES) expect([name, found.witnessed[name]]).not.toEqual([name, 0]);
    },
    PATIENT_MS,
  );

  it(
    'breaks a promise without each of them (control)',
    async () => {
      const found = await search('true', {
        ...{ ...WALK, from: 'weakened', traces: 400, witnesses: MISSES },
      });
      expect(Object.keys(found.witnessed).sort()).toEqual([...MISSES].sort());
      for (const name of MISSES) expect([name, found.witnessed[name]]).not.toEqual([name, 0]);
    },
    PATIENT_MS,
  );

  it(
    'loses what was acknowledged when found rows are taken for durable (control)',
    async () => {
      const found = await search('true', {
        ...{ ...WALK, from: 'undurable', traces: 150, witnesses: [FAR] },
      });
      expect(found.witnessed[FAR], found.output).toBeGreaterThan(0);
    },
    PATIENT_MS,
  );
});
