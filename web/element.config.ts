import { defineConfig } from 'vite';

/** The element as a file of its own, which any page loads by one script tag, and its example. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: 'element/example',
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    lib: { entry: 'element/element.ts', formats: ['es'], fileName: () => 'seat-map.js' },
    // A library is left readable by default; this one is loaded by visitors.
    rolldownOptions: { output: { minify: true } },
  },
});
