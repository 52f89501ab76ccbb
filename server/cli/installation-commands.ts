import { printCatalogue } from '@voelgoed/engine/postgres';
import { type Command, Option } from 'commander';
import { loadStadium } from '#demo';
import { examine, type Finding } from '#doctor';
import type { MigrateOptions } from './host.ts';
import type { Session } from './session.ts';
import { isJson } from './session.ts';
import { printable } from './table.ts';

/** The installation as a whole. */
export function registerInstallation(program: Command, session: Session): void {
  const { host } = session;
  program
    .command('migrate')
    .description('bring the database schema up to this version')
    .option('--new-secret', 'AUTH_SECRET has changed: set the serving roles’ passwords anew')
    .addOption(
      new Option(
        '--organizations <how>',
        'whether nodes must sign organizations: signed once no node of 0.1.0 runs any more',
      ).choices(['signed', 'unsigned']),
    )
    .option('--force', 'signed also while nodes of 0.1.0 write, which answer 503 from then on')
    .action((options: MigrateOptions, command: Command) =>
      host.withInstallation(async ({ migrate }) => {
        const applied = await migrate(options);
        const done = applied.length > 0;
        const sentence = done ? `Applied: ${applied.join(', ')}` : 'The schema is up to date.';
        session.result(command, { applied }, sentence);
      }),
    );

  program
    .command('schema')
    .description('print the database schema as the catalogue has it')
    .action(() =>
      host.withInstallation(async ({ migrate, ownerUrl }) => {
        await migrate({});
        host.out(await printCatalogue(ownerUrl));
      }),
    );

  program
    .command('doctor')
    .description('look for what is wrong with this installation, and say what to do')
    .action((_, command: Command) =>
      host.withInstallation(async (installation) => {
        const findings = await examine(installation);
        if (findings.some(({ ok }) => !ok)) session.found();
        if (isJson(command)) return session.json(findings);
        for (const finding of findings) session.say(lineOf(finding));
      }),
    );

  program
    .command('demo-stadium')
    .description('add an event of 100,000 seats to the demo organization')
    .action((_, command: Command) =>
      session.engine(async (engine) => {
        const event_id = await loadStadium(engine);
        const sentence = event_id ? `event  ${event_id}` : 'The stadium is there already.';
        session.result(command, { event_id }, sentence);
      }),
    );
}

function lineOf({ ok, topic, finding, advice }: Finding): string {
  const line = `${ok ? 'ok     ' : 'PROBLEM'}  ${topic.padEnd(30)}  ${printable(finding)}`;
  return advice && !ok ? `${line}\n${' '.repeat(9)}${advice}` : line;
}
