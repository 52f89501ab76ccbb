import type { DeskWords } from './desk-language.svelte.ts';

const count = (number: number) => number.toLocaleString('af-ZA');
const seats = (number: number) => (number === 1 ? '1 sitplek' : `${count(number)} sitplekke`);

const holds = (number: number) =>
  number === 1 ? '1 reservering' : `${count(number)} reserverings`;

/** Wat die kaartjieskantoor sê. */
export const OFFICE_AF: DeskWords['office'] = {
  title: 'Kaartjieskantoor',
  map: 'Plan',
  list: 'Lys',
  tools: 'Wat sleep op die plan doen',
  toolPoint: 'Skuif die plan',
  toolLasso: 'Vangtou',
  toolMove: 'Verskuif ’n kaartjie',
  toolLassoHow: 'Trek ’n lyn om sitplekke. Shift voeg by, Escape los dit.',
  toolMoveHow: 'Sleep ’n verkoopte sitplek na ’n oop een.',
  find: 'Vind',
  findHow: 'Kode, naam of sitplek',
  findKey: 'Die sleutel / bring jou hierheen',
  findCut: 'Daar is nog: gee meer van die naam of die kode.',
  toFind: 'Gaan na Vind',
  keys: 'Sleutels',
  keysOn: 'Sleutels sonder Ctrl werk hier',
  findNothing: 'Niks is gevind nie.',
  foundSeats: 'Sitplekke',
  foundTickets: 'Kaartjies',
  foundPeople: 'Mense',
  foundHolds: (number) => `Hou ${seats(number)}`,
  selection: 'Gekose sitplekke',
  selectionNone: 'Kies sitplekke op die plan, in die lys, of met die vangtou.',
  selected: (number) => `${seats(number)} gekies`,
  clear: 'Kies niks',
  free: 'oop',
  held: 'gehou',
  sold: 'verkoop',
  closed: 'gesluit',
  kept: 'vir ’n metgesel',
  wholeRow: (row) => `Ry ${row}`,
  chooseRow: (row) => `Kies die hele ry ${row}`,
  chooseSection: 'Kies die hele blok',
  chooseZone: 'Kies die hele area',
  listHelp: 'Pyltjies gaan van plek tot plek, Enter of Spasie kies. Elke ry het sy eie knoppie.',
  area: 'Gebied',
  block: 'Blok',
  moreRows: 'Wys meer rye',
  gridOf: (zone) => `Sitplekke in ${zone}`,
  doHold: (number) => `Hou ${seats(number)} vir ’n beller`,
  doSell: (number) => `Verkoop ${seats(number)}`,
  doBlock: (number) => `Sluit ${seats(number)}`,
  doUnblock: (number) => `Maak ${seats(number)} weer oop`,
  doRelease: (number) => `Laat ${seats(number)} los`,
  why: 'Oor hierdie sitplek',
  whyFree: 'Oop, en te koop.',
  whyHeld: (name) => `Word gehou deur ${name}.`,
  whySold: (name) => `Verkoop aan ${name}.`,
  whyBlocked: (name) => `Gesluit deur ${name}.`,
  whyLayout: 'Gesluit sedert die vertoning beplan is: die uitleg of die plan sê so.',
  whyCompanion: (label) =>
    `Word gehou vir die metgesel by rolstoelplek ${label} totdat die area amper vol is. Die ` +
    'kaartjieskantoor kan dit verkoop.',
  somebody: (id) => `kliënt ${id}`,
  member: (role, id) => `${role} nr. ${id}`,
  until: 'Tyd oor',
  from: 'Vanaf',
  sources: {
    web: 'die winkel',
    scanner: '’n skandeerder',
    offline_sync: '’n toestel sonder netwerk',
    box_office: 'die kaartjieskantoor',
  },
  since: 'Sedert',
  code: 'Kaartjie',
  price: 'Prys',
  ticketStatuses: { active: 'Geldig', voided: 'Ongeldig', refunded: 'Terugbetaal' },
  cameIn: (number) => (number === 1 ? 'Het een keer ingekom' : `Het ${number} keer ingekom`),
  needsSeat: 'Sy sitplek is gesluit: hierdie kaartjie het ’n ander een nodig.',
  reseat: 'Gee ’n ander sitplek',
  voidTicket: 'Maak ongeldig',
  refundTicket: 'Betaal terug',
  moving: (code, label) => `Kaartjie ${code} in ${label}: kies sy nuwe sitplek.`,
  movingStop: 'Los dit daar',
  holdTitle: (number) => `Hou ${seats(number)}`,
  placesTitle: (number, zone) =>
    number === 1 ? `1 plek in die gebied ${zone}` : `${count(number)} plekke in ${zone}`,
  caller: 'Naam van die beller',
  callerHow: 'Elke keer is dit ’n mens op sy eie, ook met dieselfde naam.',
  callerNeeded: 'Gee asseblief ’n naam.',
  minutes: 'Minute',
  hold: 'Hou',
  heldFor: (name, number) =>
    number === 1
      ? `1 plek word vir ${name} gehou.`
      : `${count(number)} plekke word vir ${name} gehou.`,
  sellTitle: 'Verkoop by die deur',
  buyer: 'Naam (mag leeg bly)',
  walkIn: 'Instapkliënt',
  method: 'Betaal met',
  methods: { cash: 'Kontant', card: 'Kaart', complimentary: 'Gratis' },
  total: 'Totaal',
  sellHow: 'Hier word geen geld geskuif nie: neem dit terwyl die plekke gehou word, druk dan.',
  saleHeld: 'Vir hierdie verkoop gehou, tyd oor:',
  saleOver:
    'Die sitplekke word nie meer vir hierdie verkoop gehou nie: hul tyd is verby, of hulle is ' +
    'verkoop of losgelaat. Neem geen geld voordat hulle weer gehou word nie.',
  holdAgain: 'Hou hulle weer',
  saleFor: (name) => `Word gehou vir ${name}, wat die kaartjies kry.`,
  saleLeft: 'Die verkoop is nie voltooi nie',
  cartTitle: (name) => `Neem betaling vir die mandjie van ${name}`,
  cartWill: (name, source) =>
    `Word deur ${name} gehou in ${source}. Die kaartjies gaan na ${name}. Om aan iemand anders ` +
    'te verkoop, laat dit eers los.',
  cartHeld: 'In die mandjie, tyd oor:',
  cartOver: 'Dit is nie meer in die mandjie nie: die tyd is verby, of dit is verkoop of losgelaat.',
  takePayment: 'Neem betaling',
  longer: 'Langer',
  lengthenTitle: (name) => `Meer tyd vir ${name}`,
  lengthenHow: 'Hoogstens ’n uur van nou af. Niks word korter nie.',
  minutesFromNow: 'Minute van nou af',
  lengthened: (name, number, not) =>
    `${name}: ${holds(number)} het meer tyd.` +
    `${not > 0 ? ` ${holds(not)} het nie: verkoop, verby of besig.` : ''}`,
  callerNotes: 'Telefoon of nota, net vir personeel',
  holds,
  sell: 'Verkoop',
  soldTitle: (number) =>
    number === 1 ? '1 kaartjie verkoop' : `${count(number)} kaartjies verkoop`,
  receipt: 'Kwitansie',
  done: 'Klaar',
  tooMany: (number) => `Hoogstens ${count(number)} plekke word op een slag verkoop.`,
  blockTitle: (number) => `Sluit ${seats(number)}`,
  blockWill: (number, holds, tickets) =>
    `${seats(number)} gaan uit die verkoop. ` +
    `${holds > 0 ? `${seats(holds)} in mandjies word van hul houers geneem. ` : ''}` +
    `${tickets > 0 ? `${seats(tickets)} met kaartjies hou dit en moet verskuif word.` : ''}`,
  blockReasons: ['Kamera', 'Stukkende sitplek', 'Beperkte uitsig', 'Deur die organiseerder gehou'],
  unblockTitle: (number) => `Maak ${seats(number)} oop`,
  unblockWill: (number) =>
    number === 1
      ? 'Dadelik: sonder ’n kaartjie is dit weer te koop; met een hoort dit weer by sy kaartjie.'
      : 'Dadelik: dié sonder ’n kaartjie is weer te koop; die ander hoort weer by hul kaartjies.',
  unblockReasons: ['Nie meer nodig nie', 'Reggemaak'],
  releaseTitle: (number) => `Laat ${seats(number)} los`,
  releaseWill: (number) =>
    `${seats(number)} word geneem van wie dit nou hou, en is dadelik weer te koop.`,
  releaseAllWill: (name, number) =>
    `Alles wat ${name} hier hou, ${seats(number)}, is dadelik weer te koop.`,
  releaseReasons: ['Die beller het gekanselleer', 'Niemand het gekom nie', 'Per ongeluk gehou'],
  release: 'Laat los',
  releaseAll: 'Laat alles los',
  forced: 'Ook terwyl ’n betaling aan die gang is',
  released: (number) => `${seats(number)} is losgelaat.`,
  releasedNothing: 'Niks word meer gehou nie.',
  notReleased: {
    payment_in_progress: (held) =>
      `${held} is nie losgelaat nie, want ’n betaling is aan die gang. Wag tot dit verby is, of ` +
      'laat los met “Ook terwyl ’n betaling aan die gang is”: geld wat daarna kom, word die ' +
      'koper geskuld.',
    ticket_already_paid: (held) => `${held} is nie losgelaat nie: dit is nou kaartjies.`,
    not_active: (held) => `${held} was reeds verby.`,
    hold_not_found: (held) => `${held} is nie gevind nie.`,
    event_busy: (held) =>
      `${held} is nie losgelaat nie, want die vertoning was besig. Druk asseblief weer.`,
    outcome_unknown: (held) =>
      `Of ${held} verby is, is nie bekend nie. Druk asseblief weer: niks word twee keer ` +
      'gedoen nie.',
  },
  notReleasedElse: (held) =>
    `${held} is nie losgelaat nie, want die bediener kon nie nou nie. Druk asseblief weer.`,
  moveTitle: (code) => `Kaartjie ${code} kry ’n ander sitplek`,
  moveWill: (from, to, isBlocked) =>
    `Dit skuif van ${from} na ${to}. Die kode en die QR-kode bly geldig; ` +
    `${from} ${isBlocked ? 'bly gesluit' : 'is weer te koop'}.`,
  moveReasons: ['Die sitplek is stukkend', 'Die kliënt het gevra', '’n Gesin sit saam'],
  move: 'Skuif dit',
  moveOnlyFree: (label) => `${label} is nie oop nie.`,
  moveNoTicket: 'Hierdie sitplek het geen kaartjie nie.',
  voidTitle: (code) => `Maak kaartjie ${code} ongeldig`,
  voidWill: (label) => `Dit maak geen deur meer oop nie en niks word terugbetaal nie. (${label})`,
  refundTitle: (code) => `Betaal kaartjie ${code} terug`,
  refundWill: (label, price) =>
    `Dit maak geen deur meer oop nie, en ${price} word die koper geskuld. (${label})`,
  endReasons: ['Die kliënt het gevra', 'Per ongeluk verkoop', 'Bank het teruggevorder'],
  keepOut: 'Hou die sitplek uit die verkoop',
  stopped: (done, total) =>
    `Gestop: ${count(done)} van ${count(total)} is gedoen en bly so. Druk weer om voort te gaan.`,
  blocked: (number, before) =>
    `${seats(number)} is gesluit.${before > 0 ? ` ${seats(before)} was reeds gesluit.` : ''}`,
  unblocked: (number, before) =>
    `${seats(number)} is nie meer gesluit nie.` +
    `${before > 0 ? ` ${seats(before)} was nie gesluit nie.` : ''}`,
  inTheWay: (labels) => `In die pad: ${labels}.`,
  leaveOut: 'Laat hierdie uit',
  areas: 'Gebiede sonder sitplekke',
  areaLeft: (number) => `${count(number)} oor`,
  howMany: 'Hoeveel',
  holdPlaces: 'Hou',
  sellPlaces: 'Verkoop',
  heldNow: 'Nou gehou',
  heldNobody: 'Niemand hou iets nie.',
  heldNoMatch: 'Nie een van hulle heet so of hou so ’n sitplek nie.',
  holder: 'Wie',
  where: 'Waar',
  chooseThese: 'Kies hierdie',
  filterHeld: 'Filter volgens naam of sitplek',
  andMore: (number) => `en nog ${count(number)}`,
};
