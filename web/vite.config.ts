import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

/** Where `npm run dev` finds the API. */
const NODE = 'http://127.0.0.1:4000';
const OF_THE_NODE = ['/api', '/demo', '/docs', '/health', '/metrics', '/openapi.json'];

/** Tells the worker which files are the app, so that it can start without a network. */
function shellForWorker(): Plugin {
  return {
    name: 'shell-for-worker',
    generateBundle(_, bundle) {
      const worker = bundle['worker.js'];
      if (worker?.type !== 'chunk') return;
      const files = Object.keys(bundle).filter((file) => /^assets\/.*\.(?:js|css)$/.test(file));
      const shell = JSON.stringify(['/', ...files.sort().map((file) => `/${file}`)]);
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
