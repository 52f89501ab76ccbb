/** `npm run cli`: what an operator does by hand. */
import { reasonOf } from '@voelgoed/engine/kit';
import { printCatalogue } from '@voelgoed/engine/postgres';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import type { Engine } from '@voelgoed/engine/workflows';
import { Command } from 'commander';
import { type Config, readConfig } from '#config';
import { loadStadium } from '#demo';
import { migrateDatabase } from './database.ts';
import { examine } from './doctor.ts';
import { closeEngine, openEngine } from './engine.ts';
import { attachServices, type Services, startServices } from './services.ts';
import {
  allTenants,
  changeTenant,
  createTenant,
  printHead,
  printRegistry,
  reconcileTenant,
  STATUS_STEPS,
  verifyTenant,
} from './tenants.ts';

/** No buyer waits for the command line. */
const REDIS_MS = 2_000;

const program = new Command('voelgoed')
  .description('Operate a Voelgoed Seating installation')
  .showHelpAfterError();

program
  .command('migrate')
  .description('bring the database schema up to this version')
  .option('--new-secret', 'AUTH_SECRET has changed: set the serving roles’ passwords anew')
  .action(async (options: { newSecret?: boolean }) => {
    await withServices(async (_config, services) => {
      const done = await migrateDatabase(services, options);
      console.log(done.length > 0 ? `Applied: ${done.join(', ')}` : 'The schema is up to date.');
    });
  });

program
  .command('schema')
  .description('print the database schema as the catalogue has it')
  .action(async () => {
    await withServices(async (_config, services) => {
      await migrateDatabase(services);
      process.stdout.write(await printCatalogue(services.ownerUrl));
    });
  });

program
  .command('doctor')
  .description('check configuration, versions, roles and row level security')
  .option('--json', 'print the findings as JSON')
  .action(async (options: { json?: boolean }) => {
    await withServices(async (config, services) => {
      const findings = await examine(config, services);
      if (options.json) console.log(JSON.stringify(findings, null, 2));
      else for (const { ok, topic, finding } of findings) print(ok, topic, finding);
      if (findings.some(({ ok }) => !ok)) process.exitCode = 1;
    });
  });

const organization = program.command('organization').description('tenants of this installation');

organization
  .command('create <slug>')
  .description('make an organization and print its first API key, this once')
  .requiredOption('--owner <email>', 'the first owner')
  .option('--name <name>', 'how people call it; default: the slug')
  .action(async (slug: string, options: { owner: string; name?: string }) => {
    await withEngine((engine) => createTenant(engine, slug, options));
  });

organization
  .command('list')
  .description('all organizations with their state')
  .action(async () => {
    await withEngine(async (engine) => {
      for (const one of await allTenants(engine)) {
        console.log(`${one.organization_id}  ${one.status.padEnd(9)}  ${one.slug}`);
      }
    });
  });

for (const [step, status] of Object.entries(STATUS_STEPS)) {
  organization
    .command(`${step} <slug>`)
    .description(`turn an organization ${status}`)
    .action(async (slug: string) => {
      await withEngine((engine) => changeTenant(engine, slug, status));
    });
}

program
  .command('demo-stadium')
  .description('add an event of 100,000 seats to the demo organization')
  .action(async () => {
    await withEngine(async (engine) => {
      const eventId = await loadStadium(engine);
      console.log(eventId ? `event  ${eventId}` : 'The stadium is there already.');
    });
  });

const audit = program.command('audit').description('the audit trail of an organization');

audit
  .command('verify <slug>')
  .description('follow the chain and name the first bad row')
  .option(
    '--head <file>',
    'a signed head that was kept: it must be ours, and the chain must fit it',
  )
  .action(async (slug: string, options: { head?: string }) => {
    await withEngine((engine, { authSecret }) => verifyTenant(engine, slug, authSecret, options));
  });

audit
  .command('head <slug>')
  .description('print a signed statement about the end of the chain, to be kept elsewhere')
  .action(async (slug: string) => {
    await withEngine((engine, { authSecret }) => printHead(engine, slug, authSecret));
  });

const registry = program
  .command('registry')
  .description('who holds what, as memory, Redis and Postgres have it');

registry
  .command('status <slug> <event>')
  .description('compare the tiers of an event of this organization')
  .action(async (slug: string, event: string) => {
    await withEngine((engine) => printRegistry(engine, slug, event));
  });

registry
  .command('reconcile <slug> [event]')
  .description('make Redis say what Postgres says, for one event or for all on sale')
  .action(async (slug: string, event?: string) => {
    await withEngine((engine) => reconcileTenant(engine, slug, event));
  });

/** An engine on the serving roles, as a node has it. */
async function withEngine(
  work: (engine: Engine, services: Services) => Promise<void>,
): Promise<void> {
  await withServices(async (_config, services) => {
    await migrateDatabase(services);
    const engine = openEngine(services, silentTelemetry, { redisCommand_ms: REDIS_MS });
    await engine.warm?.connect();
    try {
      await work(engine, services);
    } finally {
      await closeEngine(engine);
    }
  });
}

function print(ok: boolean, topic: string, finding: string): void {
  console.log(`${ok ? 'ok     ' : 'PROBLEM'}  ${topic.padEnd(20)}  ${finding}`);
}

/** On the services of the running server if there is one, else on its own, stopped afterwards. */
async function withServices(
  work: (config: Config, services: Services) => Promise<void>,
): Promise<void> {
  const result = readConfig(process.env);
  if (result.kind === 'problems') {
    console.error(['The configuration is not valid:', ...result.problems].join('\n  '));
    process.exitCode = 1;
    return;
  }
  const { config } = result;
  const quiet = () => {};
  const path = process.env.PATH ?? '';
  const services =
    (await attachServices(config)) ?? (await startServices(config, path, quiet, fail));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void services.stop().then(() => process.exit(130)));
  }
  try {
    await work(config, services);
  } finally {
    await services.stop();
  }
}

function fail(error: unknown): void {
  console.error(`Failed: ${reasonOf(error)}`);
  process.exitCode = 1;
}

// The channel to the wrapper would keep this process alive after its work is done.
process.channel?.unref();
program.parseAsync().catch(fail);
