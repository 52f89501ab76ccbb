import type { SeatMapLabels, State } from '#map';

/** What the element says, in one language. */
export type Words = SeatMapLabels &
  Readonly<{
    states: readonly [available: string, held: string, sold: string, blocked: string];
    mine: string;
    categories: Readonly<Record<string, string>>;
    row: string;
    seat: string;
    section: string;
    stale: string;
    loading: string;
    failed: string;
    held(label: string): string;
    released(label: string): string;
  }>;

/** Prices and counts as the language writes them. */
function numbers(language: string, currency: string) {
  const money = new Intl.NumberFormat(language, { style: 'currency', currency });
  const round = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    maximumFractionDigits: 0,
  });
  const whole = new Intl.NumberFormat(language);
  return {
    price: (cents: number) => (cents % 100 === 0 ? round : money).format(cents / 100),
    count: (value: number) => whole.format(value),
  };
}

function english(currency: string): Words {
  const { price, count } = numbers('en-ZA', currency);
  return {
    map: 'Seat map. Arrow keys move, plus and minus zoom, Enter chooses a seat.',
    stage: 'Stage',
    field: '',
    soldOut: 'Sold out',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    showAll: 'Show everything',
    overview: 'Overview',
    left: (left) => `${count(left)} left`,
    price,
    states: ['Available', 'In someone’s cart', 'Sold', 'Not on sale'],
    mine: 'Yours',
    categories: {
      wheelchair: 'Wheelchair space',
      companion: 'Companion seat',
      restricted_view: 'Restricted view',
    },
    row: 'Row',
    seat: 'Seat',
    section: 'Section',
    stale: 'Not up to date. Connecting again …',
    loading: 'Loading the seat map …',
    failed: 'The seat map could not be loaded.',
    held: (label) => `${label} is held for you.`,
    released: (label) => `${label} was given back.`,
  };
}

function afrikaans(currency: string): Words {
  const { price, count } = numbers('af-ZA', currency);
  return {
    map: 'Sitplekkaart. Pyltjies skuif, plus en minus zoem, Enter kies ’n sitplek.',
    stage: 'Verhoog',
    field: '',
    soldOut: 'Uitverkoop',
    zoomIn: 'Zoem in',
    zoomOut: 'Zoem uit',
    showAll: 'Wys alles',
    overview: 'Oorsig',
    left: (left) => `${count(left)} oor`,
    price,
    states: ['Beskikbaar', 'In iemand se mandjie', 'Verkoop', 'Nie te koop nie'],
    mine: 'Joune',
    categories: {
      wheelchair: 'Rolstoelspasie',
      companion: 'Metgesel se sitplek',
      restricted_view: 'Beperkte uitsig',
    },
    row: 'Ry',
    seat: 'Sitplek',
    section: 'Seksie',
    stale: 'Nie op datum nie. Verbind weer …',
    loading: 'Die sitplekkaart laai …',
    failed: 'Die sitplekkaart kon nie gelaai word nie.',
    held: (label) => `${label} word vir jou gehou.`,
    released: (label) => `${label} is teruggegee.`,
  };
}

/** Of the language asked for; of any other: English. */
export function wordsIn(language: string, currency: string): Words {
  return language.toLowerCase().startsWith('af') ? afrikaans(currency) : english(currency);
}

export function stateWord(words: Words, state: State, mine: boolean): string {
  return mine ? words.mine : words.states[state];
}
