import type { DeskWords } from './desk-language.svelte.ts';

/** What the counter says when the outcome of a sale is not known, in Afrikaans. */
export const COUNTER_AF: DeskWords['counter'] = {
  unknown: (names) =>
    `Dit is nie bekend of ${names} verkoop is nie: die antwoord het verlore geraak. Neem geen ` +
    'ander betaling daarvoor nie en verkoop dit nie weer voordat dit bekend is nie.',
  unknownHow:
    'Probeer weer stuur dieselfde verkoop nog ’n keer: is dit gedoen, kry jy die kaartjies; is ' +
    'dit nie, word dit nou gedoen. Niks word twee keer verkoop nie. Hoe betaal word, kan tot dan ' +
    'nie verander word nie.',
  openSale: 'Maak die verkoop oop',
  wait: 'Die verkoop is aan die gang. Hierdie venster bly oop totdat daar ’n antwoord is.',
  closeAsk:
    'Maak toe sonder om te weet of dit verkoop is? Die verkoop bly bo-aan hierdie bladsy totdat ' +
    'dit bekend is. As jy die bladsy verlaat of herlaai, gaan dit verlore.',
  closeStay: 'Bly hier',
  closeAnyway: 'Maak toe, dit is nie bekend nie',
  paying:
    'Die koper betaal op hierdie oomblik in die winkel hiervoor. Neem geen geld nie; as daardie ' +
    'betaling misluk, gaan dit hier vanself voort.',
  notSold: (names) => `${names}: niks is verkoop nie.`,
  found:
    'Dit is die verkoop wat vir hierdie plekke op rekord is. Die antwoord daarop het verlore ' +
    'geraak. As daar anders betaal is as hier staan, het ’n ander toonbank dit gedoen: neem nie ' +
    'twee keer betaling nie.',
  elsewhere: 'Word by ’n ander toonbank of in ’n ander venster verkoop',
  sellRest: 'Gaan aan met wat nog gehou word',
  notPriced: 'Die pryse is nog nie bekend nie. Niks kan voor dit verkoop word nie.',
};
