/** What the counter says when the outcome of a sale is not known, in English. */
export const COUNTER_EN = {
  unknown: (names: string) =>
    `It is not known whether ${names} was sold: the answer was lost. Take no other payment for ` +
    'it and do not sell it again before that is known.',
  unknownHow:
    'Try again sends the same sale once more: if it was made, you get its tickets, if not, it is ' +
    'made now. Nothing is sold twice. How it is paid cannot be changed until then.',
  openSale: 'Open the sale',
  wait: 'The sale is under way. This stays open until there is an answer.',
  closeAsk:
    'Close without knowing whether it was sold? The sale stays at the top of this page until it ' +
    'is known. Leaving or reloading the page loses it.',
  closeStay: 'Stay',
  closeAnyway: 'Close, it is not known',
  paying:
    'The buyer is paying for this in the shop at this moment. Take no money; if that payment ' +
    'fails, this goes on by itself.',
  notSold: (names: string) => `${names}: nothing was sold.`,
  found:
    'This is the sale on record for these places. Its answer had been lost. If the way of paying ' +
    'is not the one here, another counter made it: take no second payment.',
  elsewhere: 'Sale under way at another counter or in another window',
  sellRest: 'Go on with what is still held',
  notPriced: 'The prices are not known yet. Nothing can be sold before they are.',
};
