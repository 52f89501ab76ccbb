/**
 * Site: the built web app, read once and answered from memory. It knows files, encodings and how
 * long a browser may keep them; it knows nothing of what the app does. `processes` reads it and
 * registers it after all other routes.
 */
export { readSite, type Site, type SiteSettings } from './read-site.ts';
export { registerSite } from './serve-site.ts';
