// `npm run dev`: the server, started again when its files change, and beside it Vite, which shows
// changes of the web app at once and passes everything else on to the server.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const args = ['--watch', 'server/processes/start.ts', ...process.argv.slice(2)];
const node = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });

const vite = await createServer({ configFile: join(root, 'web/vite.config.ts') });
await vite.listen();
console.log(`Web app with live changes: ${vite.resolvedUrls?.local[0]}`);

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => node.kill(signal));
process.on('disconnect', () => node.kill('SIGTERM'));
node.on('exit', async (code) => {
  await vite.close();
  process.exit(code ?? 1);
});
