import type { DeskWords } from './desk-language.svelte.ts';

const count = (number: number) => number.toLocaleString('af-ZA');

/** Wat die register, die ouditspoor en die terugbetalings sê. */
export const RECORDS_AF: DeskWords['records'] = {
  registry: 'Register',
  registryLead:
    'Wie wat hou, staan in Postgres; geheue en Redis herhaal dit. Hier sien jy of almal ' +
    'dieselfde sê.',
  event: 'Vertoning',
  memory: 'Geheue',
  redis: 'Redis',
  postgres: 'Postgres',
  holdCount: (number) => (number === 1 ? '1 bespreking' : `${count(number)} besprekings`),
  digest: 'Vingerafdruk',
  noRedis: 'nie in gebruik nie',
  state: 'Toestand',
  states: {
    ok: 'Dieselfde',
    stale: 'Verskillend',
    filling: 'Redis word gevul',
    redis_unavailable: 'Redis is nie bereikbaar nie',
    not_on_sale: 'Nie te koop nie',
  },
  checkAll: 'Gaan weer na',
  reconcileAll: 'Bring alles in lyn',
  reconcile: 'Bring in lyn',
  reconcileOf: (event) => `Bring ${event} in lyn`,
  reconcileHow: (what) =>
    `Geheue en Redis word gemaak om te sê wat Postgres sê, vir ${what}. Geen bespreking, ` +
    'kaartjie of sitplek verander in Postgres nie.',
  allEvents: 'alle vertonings te koop',
  reconciled: (events, holds, written, removed) =>
    `${count(events)} nagegaan, ${count(holds)} besprekings: ${count(written)} inskrywings ` +
    `geskryf, ${count(removed)} verwyder.`,
  notReconciled: (events) =>
    events === 1
      ? '1 vertoning kon nie in lyn gebring word nie; kyk weer.'
      : `${count(events)} vertonings kon nie in lyn gebring word nie; kyk weer.`,
  reloaded: (boards) =>
    boards === 1 ? '1 vertoning nuut gelaai.' : `${count(boards)} vertonings nuut gelaai.`,
  nothingToReconcile: 'Geen vertoning is te koop nie, en dus is daar niks om in lyn te bring nie.',
  differs: (tier, what, number) =>
    number === 1 ? `${tier}: ${what}` : `${tier}: ${what} (${count(number)})`,
  parts: {
    holds: 'besprekings',
    seats: 'sitplekke',
    board: 'getalle of betalings',
    revision: 'revisie',
    bitmap: 'sitplekke vir lesers',
    occupancy: 'besetting',
  },
  audit: 'Ouditspoor',
  auditLead: 'Wat gedoen is, deur wie en wanneer. Elke ry is aan alle vorige rye gebind.',
  trail: 'Spoor',
  ofOrganization: 'Die organisasie',
  action: 'Wat gedoen is',
  seat: 'Sitplek',
  seatHow: '’n Sitplek volgens sy nommer, soos op die kaartjie.',
  seatNeeds: 'Kies eers die vertoning om ’n sitplek te soek.',
  customer: 'Kliënt (id of e-pos)',
  customerNeeds: 'Kies ’n vertoning om te sien wat met plekke en kaartjies gebeur het.',
  order: 'Bestelling (kassa-id)',
  whom: 'Kliënt',
  misses: {
    seat_not_found: 'Die vertoning het nie so ’n sitplek nie.',
    checkout_not_found: 'So ’n bestelling bestaan nie.',
    not_found: 'Geen kliënt het hierdie e-posadres nie.',
  },
  badPerson: 'Dit is nóg ’n id nóg ’n e-posadres.',
  refusals: 'Weierings',
  refusalsLead:
    'Versoeke om sitplekke wat in die laaste 30 dae geweier is, en hoekom. As daar te veel is, ' +
    'word hulle getel in plaas van gelys.',
  code: 'Kode',
  times: 'Keer',
  places: 'Sitplekke en areas',
  addressHash: 'Adres (hutskode)',
  several: 'verskeie',
  noRefusals: 'Niks is so geweier nie.',
  noRefusalsYet: 'Nog niks onder die nuutste weierings gevind nie. Daar is ouer weierings.',
  fromIn: (place) => `Van (${place})`,
  toIn: (place) => `Tot (${place})`,
  find: 'Vind',
  clear: 'Maak skoon',
  badId: 'Dit is nie ’n id nie: agt, vier, vier, vier en twaalf karakters.',
  when: 'Wanneer',
  who: 'Wie',
  address: 'Adres',
  agent: 'Program',
  older: 'Ouer',
  noRows: 'Geen ry van hierdie spoor is so nie.',
  verify: 'Gaan die spoor na',
  verifyHow:
    'Elke ry word van die eerste af weer uitgewerk. ’n Ry wat verander, uitgehaal of ingesit is, ' +
    'word genoem.',
  verified: (rows) => `Al ${count(rows)} rye is soos dit geskryf is.`,
  verifiedPart: (rows) => `Gestop. Die eerste ${count(rows)} rye is soos dit geskryf is.`,
  problems: {
    altered: (row) => `Ry ${count(row)} is verander.`,
    missing: (row) => `Ry ${count(row)} ontbreek.`,
    unexpected: (row) => `Ry ${count(row)} hoort nie daar nie.`,
  },
  badHow:
    'Iemand het die databasis buite die program om verander. Herstel dit, en vra wie daarby kan ' +
    'kom.',
  showRow: 'Wys daardie ry',
  head: 'Ondertekende einde van die spoor',
  headHow:
    'Hou dit elders: ’n spoor wat later herskryf is, pas nie daarby nie. Die handtekening is ' +
    'Ed25519 oor die JSON-lys van die velde.',
  headAsk: 'Onderteken die einde',
  headRows: 'Rye',
  headHash: 'Hutskode',
  signature: 'Handtekening',
  publicKey: 'Openbare sleutel',
  download: 'Laai af',
  export: 'Laai die verkoop se logboek af',
  exportHow: 'Elke verandering aan ’n sitplek met sy hutskode, een JSON-voorwerp per reël.',
  refunds: 'Terugbetalings',
  refundsLead: 'Geld wat teruggegee moet word, of is. Die betaling self gebeur by die bank.',
  status: 'Stand',
  statuses: { due: 'Moet terugbetaal word', refunded: 'Terugbetaal' },
  amount: 'Bedrag',
  reason: 'Rede',
  reasons: {
    seats_gone: 'Betaal toe die sitplekke weg was',
    paid_twice: 'Twee keer betaal',
    amount_mismatch: 'Verkeerde bedrag',
    checkout_cancelled: 'Kassa gekanselleer',
    event_cancelled: 'Vertoning gekanselleer',
    ticket_refunded: 'Kaartjie terugbetaal',
  },
  checkout: 'Kassa',
  since: 'Sedert',
  paidBack: 'Terugbetaal op',
  dueSum: (sum) => `${sum} moet terugbetaal word`,
  noneOnSale: 'Geen vertoning is te koop nie; daar is niks om te vergelyk nie.',
  noRefunds: 'Daar is niks om terug te betaal nie.',
};
