import { assert } from '@voelgoed/engine/kit';
import {
  type DescribedStatement,
  describeStatements,
  type KnownStatement,
  type SentStatement,
  type ServingRole,
} from '#fixtures';
import { declaredStatements, loggedStatements } from './sent-statements.ts';

type Setting = Readonly<{
  /** Where Postgres keeps its log. */
  folder: string;
  urls: Readonly<Record<ServingRole, string>>;
  organizationId: string;
}>;

/**
 * Every statement of this version, by role and name. One that was declared and not sent here
 * belongs to the first role that may run it.
 */
export async function knownStatements(setting: Setting): Promise<KnownStatement[]> {
  const logged = await loggedStatements(setting.folder);
  const names = new Set(logged.map(({ name }) => name));
  const unsent = (await declaredStatements()).filter(({ name }) => !names.has(name));
  const asApp = await described(
    setting,
    unsent.map((one) => ({ ...one, role: 'voelgoed_app' })),
  );
  const forJobs = unsent.filter((_, at) => asApp[at] === null);
  const asJobs = await described(
    setting,
    forJobs.map((one) => ({ ...one, role: 'voelgoed_jobs' })),
  );
  const known = [...(await described(setting, logged)), ...asApp.filter(Boolean), ...asJobs];
  return known
    .map((one) => {
      assert(one, 'a statement of this version runs on its own schema');
      return one;
    })
    .sort((a, b) => (a.role + a.name < b.role + b.name ? -1 : 1));
}

/** Null: this role cannot run it. */
async function described(
  { urls, organizationId }: Setting,
  statements: readonly SentStatement[],
): Promise<(KnownStatement | null)[]> {
  const answers = await describeStatements(urls, organizationId, statements);
  return statements.map((one, at) => {
    const answer: DescribedStatement = answers[at] ?? { error: 'not asked' };
    return 'error' in answer ? null : { ...one, ...answer };
  });
}
