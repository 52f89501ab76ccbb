import type { DeskWords } from './desk-language.svelte.ts';

const count = (number: number) => number.toLocaleString('af-ZA');
const seats = (number: number) => (number === 1 ? '1 sitplek' : `${count(number)} sitplekke`);

/** Wat uit die verkoop is en hoekom, en hoe die personeel se kaart gelees word. */
export const BLOCKS_AF: DeskWords['blocks'] = {
  title: 'Geblokkeerde sitplekke',
  none: 'Geen sitplek is geblokkeer nie.',
  planned: 'Gesluit sedert die geleentheid beplan is',
  plannedOrLongAgo: 'Gesluit sedert die geleentheid beplan is, of lank gelede',
  noReason: 'Sonder ’n rede',
  by: (name, time) => `deur ${name}, ${time}`,
  bySystem: 'die stelsel',
  quantity: seats,
  needSeats: (number) =>
    number === 1
      ? '1 kaartjie het ’n ander sitplek nodig'
      : `${count(number)} kaartjies het ander sitplekke nodig`,
  show: 'Wys op die kaart',
  unblock: 'Gee vry',
  unblockOf: (reason) => `Gee vry: ${reason}`,
  showOf: (reason) => `Wys op die kaart: ${reason}`,
  andMore: (number) => `en nog ${count(number)}`,
  legend: 'Wat die kaart wys',
  free: 'oop',
  held: 'gehou',
  sold: 'verkoop',
  blocked: 'geblokkeer',
  reseat: 'het ’n ander sitplek nodig',
  kept: 'vir ’n metgesel gehou',
};
