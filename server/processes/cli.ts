/** `npm run cli`: the command line on the services of this machine or of the configuration. */
import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { servingUrls } from '@voelgoed/engine/postgres';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import { type CliHost, EXIT, type Installation, runCli } from '#cli';
import { readConfig } from '#config';
import { migrateDatabase } from './database.ts';
import { closeEngine, openEngine } from './engine.ts';
import { attachServices, startServices } from './services.ts';

/** No buyer waits for the command line. */
const REDIS_MS = 2_000;

const host: CliHost = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isTerminal: process.stdin.isTTY === true && process.stderr.isTTY === true,
  ask,
  user: nameOfUser(),
  withInstallation,
  withEngine: (work) =>
    withInstallation(async (installation) => {
      await installation.migrate({});
      const engine = openEngine(installation, silentTelemetry, { redisCommand_ms: REDIS_MS });
      await engine.warm?.connect();
      try {
        await work(engine, installation);
      } finally {
        await closeEngine(engine);
      }
    }),
};

/** On the services of the running server if there is one, else on its own, stopped afterwards. */
async function withInstallation(
  work: (installation: Installation) => Promise<void>,
): Promise<void> {
  const result = readConfig(process.env);
  if (result.kind === 'problems') {
    console.error(['The configuration is not valid:', ...result.problems].join('\n  '));
    process.exit(EXIT.usage);
  }
  const { config } = result;
  const path = process.env.PATH ?? '';
  const gone = (error: Error) => console.error(error.message);
  const services =
    (await attachServices(config)) ?? (await startServices(config, path, () => {}, gone));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void services.stop().then(() => process.exit(130)));
  }
  try {
    const { ownerUrl, authSecret, redisUrl } = services;
    await work({
      config,
      ownerUrl,
      authSecret,
      redisUrl,
      ...servingUrls(ownerUrl, authSecret),
      migrate: (options) => migrateDatabase(services, options),
    });
  } finally {
    await services.stop();
  }
}

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

/** A container may run as a number that has no name. */
function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

// The channel to the wrapper would keep this process alive after its work is done.
process.channel?.unref();
process.exitCode = await runCli(host, process.argv.slice(2));
