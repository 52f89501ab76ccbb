import type { DeskWords } from './desk-language.svelte.ts';

const count = (number: number) => number.toLocaleString('af-ZA');

/** Wat op gedrukte kaartjies staan, en op die knoppies wat dit druk. */
export const PAPER_AF: DeskWords['paper'] = {
  print: (number) => (number === 1 ? 'Druk die kaartjie' : `Druk ${count(number)} kaartjies`),
  printThis: 'Druk hierdie kaartjie',
  printSale: (number) => `Druk al ${count(number)} kaartjies van hierdie verkoop`,
  when: 'Begin',
  timeIn: (zone) => `tyd in ${zone}`,
  venue: 'Lokaal',
  area: 'Gebied',
  block: 'Blok',
  row: 'Ry',
  seat: 'Sitplek',
  ticket: 'Kaartjie',
  price: 'Prys',
  buyer: 'Naam',
  sale: 'Verkoop',
};
