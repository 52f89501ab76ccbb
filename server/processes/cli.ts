/** `npm run cli`: what an operator does by hand. */
import { reasonOf } from '@voelgoed/engine/kit';
import { printCatalogue } from '@voelgoed/engine/postgres';
import { Command } from 'commander';
import { type Config, readConfig } from '#config';
import { migrateDatabase } from './database.ts';
import { examine } from './doctor.ts';
import { attachServices, type Services, startServices } from './services.ts';

const program = new Command('voelgoed')
  .description('Operate a Voelgoed Seating installation')
  .showHelpAfterError();

program
  .command('migrate')
  .description('bring the database schema up to this version')
  .action(async () => {
    await withServices(async (_config, { ownerUrl, authSecret }) => {
      const done = await migrateDatabase(ownerUrl, authSecret);
      console.log(done.length > 0 ? `Applied: ${done.join(', ')}` : 'The schema is up to date.');
    });
  });

program
  .command('schema')
  .description('print the database schema as the catalogue has it')
  .action(async () => {
    await withServices(async (_config, { ownerUrl, authSecret }) => {
      await migrateDatabase(ownerUrl, authSecret);
      process.stdout.write(await printCatalogue(ownerUrl));
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
