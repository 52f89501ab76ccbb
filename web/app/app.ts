/**
 * App: where the buyers' shop begins in the browser. It reads what the visitor prefers, puts the
 * first component on the page and registers the worker; nobody imports it but the page.
 */
import './tokens.css';
import './base.css';
import { mount } from 'svelte';
import { readPreferences } from '#shop';
import Shell from './shell.svelte';

const target = document.getElementById('app');
await readPreferences();
if (target) mount(Shell, { target });
if ('serviceWorker' in navigator && import.meta.env.PROD) {
  // Without it everything works, only not offline.
  navigator.serviceWorker.register('/worker.js').catch(() => {});
}
