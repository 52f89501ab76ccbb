import { assert, NIL_ID } from '#kit';
import { type LayoutVersionRow, listLayouts, listVersions, readSpecText } from '#layouts';
import type { Invalid } from '#reading';
import type { ReadLayout } from '#workshop';
import type { Caller, Engine } from './change.ts';
import { readSeatingPolicy } from './policy.ts';

/** What others can send: a config of ours, a spec for the generator, or a plan of pretix. */
export type LayoutSource = Readonly<{ kind: 'read' | 'generate' | 'import'; text: string }>;

export type LayoutPage = Readonly<{
  venueId?: string | undefined;
  status?: string | undefined;
  after?: string | undefined;
  /** Of the layout `after`: versions older than this one. */
  afterVersion?: number | undefined;
  limit: number;
}>;

export function listAllLayouts(
  engine: Engine,
  caller: Caller,
  page: LayoutPage,
): Promise<LayoutVersionRow[]> {
  const { scope } = caller;
  const { venueId = null, status = null, after = NIL_ID, afterVersion = 0, limit } = page;
  return engine.postgres.ask(
    scope,
    listLayouts(scope.organizationId, venueId, status, after, afterVersion, limit),
  );
}

export function layoutVersions(
  engine: Engine,
  caller: Pick<Caller, 'scope'>,
  layoutId: string,
): Promise<LayoutVersionRow[]> {
  const { scope } = caller;
  return engine.postgres.ask(scope, listVersions(scope.organizationId, layoutId));
}

/** Judges a layout by the organization's policy and saves nothing. */
export async function judgeLayout(
  engine: Engine,
  caller: Caller,
  source: LayoutSource,
  previous: readonly string[] = [],
): Promise<ReadLayout | Invalid> {
  const policy = await readSeatingPolicy(engine, caller);
  return engine.workshop.do({ ...source, policy, previous });
}

/** The version that is asked for; without a number the newest. */
export async function findVersion(
  engine: Engine,
  caller: Pick<Caller, 'scope'>,
  layoutId: string,
  version?: number,
): Promise<LayoutVersionRow | null> {
  const versions = await layoutVersions(engine, caller, layoutId);
  if (version === undefined) return versions[0] ?? null;
  return versions.find((row) => row.version === version) ?? null;
}

/** A version's config as JSON in UTF-8, from memory when it cannot change any more. */
export async function layoutConfig(
  engine: Engine,
  caller: Pick<Caller, 'scope'>,
  version: LayoutVersionRow,
): Promise<Buffer> {
  const config = await engine.layouts.config(caller.scope, version);
  assert(config, 'a version that was found has a config');
  return config;
}

/** What the generator drew a version from, as JSON; null when it came in another way. */
export async function layoutSpec(
  engine: Engine,
  { scope }: Pick<Caller, 'scope'>,
  { layout_id, version }: LayoutVersionRow,
): Promise<string | null> {
  const asked = readSpecText(scope.organizationId, layout_id, version);
  const [row] = await engine.postgres.ask(scope, asked);
  return row?.spec ?? null;
}

/** What became of seats, zones and groups from one version to another, as JSON. */
export async function diffVersions(
  engine: Engine,
  caller: Caller,
  layoutId: string,
  versions: { from?: number | undefined; to?: number | undefined },
): Promise<{ from: number; to: number; diff: string } | null> {
  const all = await layoutVersions(engine, caller, layoutId);
  const to = versions.to ?? all[0]?.version;
  const from = versions.from ?? all.find((row) => row.version < (to ?? 0))?.version ?? to;
  const [older, newer] = [from, to].map((number) => all.find((row) => row.version === number));
  if (!older || !newer) return null;
  const [fromConfig, toConfig] = await Promise.all(
    [older, newer].map((row) => layoutConfig(engine, caller, row)),
  );
  assert(fromConfig && toConfig, 'both versions have a config');
  const answer = await engine.workshop.do({
    kind: 'diff',
    from: fromConfig.toString(),
    to: toConfig.toString(),
  });
  assert(answer.kind === 'diff', 'stored configs are valid');
  return { from: older.version, to: newer.version, diff: answer.diff };
}
