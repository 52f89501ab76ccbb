/**
 * App: where the buyers' shop begins in the browser. It puts the first component on the page and
 * knows nothing else; nobody imports it but the page.
 */
import { mount } from 'svelte';
import Shell from './shell.svelte';

const target = document.getElementById('app');
if (target) mount(Shell, { target });
