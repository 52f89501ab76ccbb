/**
 * The report of a run for people: a page that needs nothing but itself, with a plot and a table for
 * every suite and what was promised first; and the plots as pictures. It knows records and draws
 * them; it measures nothing. `run` calls it.
 */
export { pageOf } from './page.ts';
export { savePictures } from './pictures.ts';
export { type Plot, plotsOf } from './plots.ts';
