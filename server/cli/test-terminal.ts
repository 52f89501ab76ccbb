import type { Engine } from '@voelgoed/engine/workflows';
import type { Config } from '#config';
import type { CliHost } from './host.ts';
import { runCli } from './run-cli.ts';

type Around = Readonly<{
  engine: Engine;
  config: Config;
  ownerUrl: string;
  appUrl: string;
  jobsUrl: string;
  writerUrl: string;
  authSecret: string;
}>;

export type Typed = Readonly<{ code: number; out: string; err: string }>;

/** A terminal on an engine that is there already; `answer` is what somebody types when asked. */
export async function type(
  { engine, ...installation }: Around,
  args: readonly string[],
  answer: string | null = null,
): Promise<Typed> {
  let out = '';
  let err = '';
  const whole = { ...installation, redisUrl: null, migrate: async () => [] };
  const host: CliHost = {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    isTerminal: answer !== null,
    ask: async (question) => {
      err += question;
      return answer ?? '';
    },
    user: 'night shift',
    withInstallation: (work) => work(whole),
    withEngine: (work) => work(engine, whole),
  };
  const code = await runCli(host, args);
  return { code, out, err };
}
