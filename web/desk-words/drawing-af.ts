import type { DeskWords } from './desk-language.svelte.ts';

const count = (number: number) => number.toLocaleString('af-ZA');
const seats = (number: number) => (number === 1 ? '1 sitplek' : `${count(number)} sitplekke`);
const places = (number: number) => (number === 1 ? '1 plek' : `${count(number)} plekke`);

/** Waar ’n nuwe weergawe begin, en wat word van die konsep wat daar is. */
export const DRAWING_AF: DeskWords['drawing'] = {
  isDraft: (version) => `Weergawe ${version} is reeds ’n konsep`,
  draftFacts: (seated, all, when, who) =>
    `${seats(seated)}, altesaam ${places(all)}, bewaar ${when}${who && ` deur ${who}`}.`,
  goOn: (version) => `Gaan voort met weergawe ${version}`,
  instead: (version) => `Vervang dit, en begin by weergawe ${version}`,
  insteadNew: 'Vervang dit met ’n nuwe tekening',
  replaceTitle: (version) => `Vervang weergawe ${version}?`,
  replaceMeans: (version, seated, all) =>
    `Wanneer jy bewaar, word die konsep weergawe ${version} (${seats(seated)}, altesaam ` +
    `${places(all)}) geargiveer en jou tekening word die volgende weergawe. Die ou konsep bly in ` +
    'die lys van weergawes en kan daarvandaan weer gebruik word. Tot jy bewaar, verander niks.',
  replaceDo: 'Vervang dit',
  startsFrom: (version, seated) => `Begin by weergawe ${version}: ${seats(seated)}.`,
  replaces: (version) => `Wanneer jy bewaar, word die konsep weergawe ${version} geargiveer.`,
  asItIs: 'Soos dit is',
  asItIsHow: (version, seated) =>
    `Die plan van weergawe ${version} soos dit is: ${seats(seated)}. Dit kom nie uit die ` +
    'genereerder se vorm nie, so daar is geen getalle om te verander nie. Laai sy lêer af, ' +
    'verander dit en laai dit op, of genereer ’n nuwe tekening.',
  downloadFile: 'Laai sy lêer af',
  compared: (version, before, now) =>
    `Weergawe ${version} het ${seats(before)}, hierdie een het ${count(now)}.`,
  sameSize: (version, now) => `Net soveel sitplekke as weergawe ${version}: ${count(now)}.`,
  useAgain: (version) => `Maak ’n konsep uit weergawe ${version}`,
  conflictTitle: 'Nie bewaar nie: daar is ’n nuwer konsep',
  conflict: (version, seatsOf, who) =>
    `${who || 'Iemand anders'} het weergawe ${version} (${seatsOf}) bewaar nadat jy hierdie ` +
    'bladsy oopgemaak het. Jou tekening is nog hier.',
  conflictLook: (version) => `Kyk na weergawe ${version}`,
  conflictKeep: 'Bewaar myne as die volgende weergawe, en argiveer die ander konsep',
  conflictSave: 'Bewaar myne as die volgende weergawe',
  tooLarge: (all, most) =>
    `Die plan het ${places(all)}, maar die lokaal neem ${count(most)} mense. Maak die plan ` +
    'kleiner, of verander hoeveel mense die lokaal neem.',
  tooLargeShort: (all, most) => `Te groot: ${places(all)}, en die lokaal neem ${count(most)}.`,
  changeVenue: 'Na die lokale',
  toShapes: 'Maak dit vorms',
  toShapesHow: 'Dieselfde saal as vorms, waarvan rye, blokke en name elk verander kan word.',
  duplicate: 'Dupliseer',
  rowLengths: (first, firstLength, last, lastLength) =>
    first === last
      ? `Ry ${first} het ${seats(firstLength)}.`
      : `Ry ${first} het ${seats(firstLength)}, ry ${last} het ${count(lastLength)}.`,
  asPrinted: (example) => `Soos op die sitplek gedruk, byvoorbeeld ${example}.`,
};
