/**
 * The seat map in a real Chromium without a graphics card: how long until a stadium is seen, and
 * how long frames take while somebody pans and zooms and seats change. It knows a page and its map
 * and no server. Only `run` calls it.
 */
export { mapSuite } from './map-suite.ts';
