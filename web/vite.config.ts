import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

/** Where `npm run dev` finds the API. */
const NODE = 'http://127.0.0.1:4000';
const OF_THE_NODE = ['/api', '/demo', '/docs', '/health', '/metrics', '/openapi.json'];

/** What a buyer's device keeps: everything that is fetched without going to a screen for staff. */
function filesOfShop(bundle: Rolldown.OutputBundle): Set<string> {
  const files = new Set<string>();
  const add = (file: string) => {
    const chunk = bundle[file];
    if (chunk?.type !== 'chunk' || files.has(file) || chunk.name === 'staff') return;
    files.add(file);
    for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style);
    for (const other of [...chunk.imports, ...chunk.dynamicImports]) add(other);
  };
  for (const [file, chunk] of Object.entries(bundle)) {
    if (chunk.type === 'chunk' && chunk.isEntry && file !== 'worker.js') add(file);
  }
  return files;
}

/** Tells the worker which files are the app, so that it can start without a network. */
function shellForWorker(): Plugin {
  return {
    name: 'shell-for-worker',
    generateBundle(_, bundle) {
      const worker = bundle['worker.js'];
      if (worker?.type !== 'chunk') return;
      const shell = JSON.stringify([
        '/',
        ...[...filesOfShop(bundle)].sort().map((file) => `/${file}`),
      ]);
      worker.code = worker.code.replace('self.__SHELL__', shell);
    },
  };
}

/** While developing, Vite serves the page instead of the node, which would say this. */
function demoSettings(): Plugin {
  const content = JSON.stringify({ demo: true, organization: 'demo' });
  return {
    name: 'demo-settings',
    apply: 'serve',
    transformIndexHtml: () => [{ tag: 'meta', attrs: { name: 'voelgoed', content } }],
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [svelte({ configFile: false }), shellForWorker(), demoSettings()],
  build: {
    target: 'es2022',
    // Pictures as files: a data address in a style would need a wider content policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { app: 'index.html', worker: 'worker/worker.ts' },
      output: {
        // The worker's address is its identity: it keeps its name, everything else has a hash.
        entryFileNames: ({ name }) => (name === 'worker' ? 'worker.js' : 'assets/[name]-[hash].js'),
      },
    },
  },
  server: { proxy: Object.fromEntries(OF_THE_NODE.map((path) => [path, NODE])) },
});
