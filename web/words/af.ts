import { ERRORS_AF } from './errors-af.ts';
import type { Words } from './word-keys.ts';

const count = (number: number) => number.toLocaleString('af-ZA');
const seats = (number: number) => (number === 1 ? '1 sitplek' : `${count(number)} sitplekke`);
const places = (number: number) => (number === 1 ? '1 plek' : `${count(number)} plekke`);
const tickets = (number: number) => (number === 1 ? '1 kaartjie' : `${count(number)} kaartjies`);

export const AF: Words = {
  locale: 'af-ZA',
  name: 'Afrikaans',
  brand: 'Voelgoed',
  skip: 'Gaan na die inhoud',
  seats,
  places,
  tickets,

  home: 'Vertonings',
  shop: 'Winkel',
  myTickets: 'My kaartjies',
  settings: 'Instellings',
  language: 'Taal',
  theme: 'Voorkoms',
  themeSystem: 'Soos die stelsel',
  themeLight: 'Lig',
  themeDark: 'Donker',
  close: 'Maak toe',
  retry: 'Probeer weer',
  back: 'Terug',
  loading: 'Laai …',
  notices: 'Boodskappe',

  listTitle: 'Waarvoor is jy lus?',
  listLead: 'Kies ’n aand, kies jou eie sitplekke, en vat jou tyd: hulle bly solank joune.',
  listEmpty: 'Daar is nou niks te koop nie. Kom kyk gerus binnekort weer.',
  listNone: 'Hierdie winkel wys die vertonings waarvoor jy ’n skakel het.',
  from: (price) => `vanaf ${price}`,
  chooseSeats: 'Kies sitplekke',
  soldOut: 'Uitverkoop',
  fewLeft: (number) => `Net ${count(number)} oor`,
  leftOf: (left, total) => `${count(left)} van ${count(total)} beskikbaar`,
  onSale: 'Te koop',
  saleClosed: 'Verkope is gesluit',
  saleSoon: 'Verkope open binnekort',
  saleOpens: (time) => `Verkope open ${time}`,
  saleOpensIn: 'Verkope open oor',
  saleEnds: (time) => `Te koop tot ${time}`,
  postponed: 'Uitgestel',
  cancelled: 'Afgestel',
  ended: 'Verby',
  days: (number) => (number === 1 ? '1 dag' : `${count(number)} dae`),
  continueCart: (what) => `Jy hou ${what}`,
  continueGo: 'Gaan voort',
  timeLeft: 'Tyd oor',

  occupancy: 'Hoe vol dit is',
  occupancyFree: (percent) => `${percent} beskikbaar`,
  occupancyHeld: (percent) => `${percent} in mandjies`,
  occupancySold: (percent) => `${percent} verkoop`,

  waysToChoose: 'Maniere om te kies',
  viewMap: 'Kaart',
  viewList: 'Lys',
  viewBest: 'Beste plekke',
  map: 'Saalkaart. Pyltjies skuif dit, plus en minus zoem, Enter vat die sitplek in die middel.',
  mapOnly: 'Saalkaart. Pyltjies skuif dit, plus en minus zoem.',
  mapStage: 'Verhoog',
  mapZoomIn: 'Zoem in',
  mapZoomOut: 'Zoem uit',
  mapAll: 'Wys alles',
  mapOverview: 'Oorsig',
  mapLeft: (number) => `${count(number)} oor`,
  mapHint: 'Tik op ’n sitplek om dit te vat. Verkies jy ’n lys? Dit het ook elke sitplek.',
  legend: 'Pryse en tekens',
  filterAll: 'Alle pryse',
  filterAccessible: 'Rolstoelplekke',
  signYours: 'Joune',
  signHeld: 'In iemand se mandjie',
  signSold: 'Verkoop',
  signClosed: 'Nie te koop nie',
  signWheelchair: 'Rolstoelplek',

  seat: 'Sitplek',
  row: 'Ry',
  zone: 'Deel',
  section: 'Blok',
  rowSeat: (row, seat) => `Ry ${row}, sitplek ${seat}`,
  seatNamed: (label) => `Sitplek ${label}`,
  stateFree: 'Beskikbaar',
  stateHeld: 'In iemand se mandjie',
  stateSold: 'Verkoop',
  stateClosed: 'Nie te koop nie',
  stateYours: 'Joune',
  statePending: 'Een oomblik …',
  noteWheelchair: '’n Plek vir ’n rolstoel, sonder trappe.',
  noteCompanion: 'Vir die metgesel van ’n rolstoelgebruiker.',
  noteRestricted: 'Die uitsig is gedeeltelik versper.',
  noteAisle: 'By die gangetjie.',
  noteHeld: 'Iemand besluit nou oor hierdie sitplek. Dit kan terugkom.',
  membersOnly: 'Vir lede',
  ruleChosen: 'By hierdie geleentheid kies ons die sitplekke. Laat ons joune soek.',
  ruleApart: 'By hierdie geleentheid is die sitplekke van een bespreking langs mekaar.',
  ruleTable: (labels) =>
    `Hierdie tafel word as geheel verkoop. Neem asseblief ook sy ander vry sitplekke: ${labels}.`,
  rulePartOfTable: (number, labels) =>
    'Een bespreking kan nie die hele tafel hê nie. ' +
    `Neem asseblief nog ${count(number)} van ${labels}.`,
  ruleFamily: (labels) =>
    'Hierdie sitplekke is vir gesinne, ten minste twee in een bespreking. ' +
    `Neem asseblief nog een van ${labels}.`,
  tablesFor: (sizes) =>
    'Daar is nie sitplekke vir ’n groep soos julle nie. Tafels word as geheel verkoop, en ' +
    `daar is vir soveel mense: ${sizes}.`,
  familiesOnly: 'Die sitplekke wat oor is, is vir gesinne: ten minste twee in een bespreking.',
  limitOfBooking: (most) => `’n Bespreking mag hoogstens ${seats(most)} hê.`,
  limitOfSpaces: (most) =>
    '’n Bespreking mag hoogstens ' +
    `${most === 1 ? '1 rolstoelplek' : `${count(most)} rolstoelplekke`} hê.`,
  limitOfBuyer: (most) => `Jy mag hoogstens ${seats(most)} van hierdie vertoning op een slag hou.`,
  limitOfNetwork:
    'Te veel sitplekke van hierdie vertoning word deur jou internetverbinding gehou. Probeer ' +
    'asseblief weer wanneer van hulle vry of betaal is.',
  take: 'Vat dit',
  giveBack: 'Gee terug',
  takeNamed: (label) => `Vat sitplek ${label}`,
  giveBackNamed: (label) => `Gee ${label} terug`,

  listChooseZone: 'Deel',
  listChooseSection: 'Blok',
  listRows: (from, to) => `Rye ${from} tot ${to}`,
  listMoreRows: 'Nog rye',
  listHelp: 'Pyltjies beweeg tussen sitplekke, Enter of spasie vat een of gee dit terug.',
  listHelpOnly: 'Pyltjies beweeg tussen sitplekke, Enter of spasie gee een van joune terug.',
  listFreeIn: (left) => `${count(left)} beskikbaar`,
  listGrid: (zone) => `Sitplekke van ${zone}`,
  listRowFree: (row, left) => `Ry ${row}, ${count(left)} beskikbaar`,

  placesTitle: 'Plekke sonder nommers',
  placesHow: 'Kom soos jy is: daar is plek vir almal met ’n kaartjie.',
  standing: 'Staanplek',
  seatedFree: 'Sitplek, vrye keuse',
  quantity: 'Hoeveel',
  fewer: 'Minder',
  more: 'Meer',
  addPlaces: (number) => `Voeg ${places(number)} by`,

  bestTitle: 'Laat ons jou plekke kry',
  bestHow: 'Ons soek die beste sitplekke langs mekaar en wys wat ons kry. Jy besluit.',
  party: 'Hoeveel mense',
  bestTogether: 'Net langs mekaar',
  bestWheelchair: 'Met ’n rolstoelplek',
  bestWhere: 'Waar',
  bestAnywhere: 'Enige plek',
  bestFind: 'Wys sitplekke',
  bestFinding: 'Soek …',
  bestOffers: 'Wat ons gekry het',
  bestFirst: 'Beste keuse',
  bestNext: (rank) => `Keuse ${rank}`,
  bestTake: 'Vat hierdie',
  bestShow: 'Wys op die kaart',
  bestSideBySide: 'Langs mekaar',
  bestSplit: (rows) => `In ${rows} rye, naby mekaar`,
  bestNoGap: 'Laat geen enkele sitplek oor nie',
  bestNearest: 'Naaste aan die verhoog',
  bestFurther: '’n Bietjie verder weg',
  bestNobodyAlone: 'Niemand sit alleen nie',
  bestNothing:
    'Sulke sitplekke is nie meer daar nie. Probeer minder mense, ’n ander deel, of nie langs ' +
    'mekaar nie.',
  bestRow: (row, number) => `Ry ${row}: ${seats(number)}`,

  cart: 'Jou mandjie',
  cartEmpty: 'Jou mandjie is leeg',
  cartEmptyHow: 'Sitplekke wat jy vat, wag hier vir jou.',
  cartHeldFor: 'Vir jou gehou',
  cartTotal: 'Totaal',
  cartOpen: 'Wys die mandjie',
  cartHide: 'Steek die mandjie weg',
  placesNow: (zone, number) => `${zone}: ${places(number)} word vir jou gehou.`,
  placesNamed:
    'Hierdie plekke is vir mense wat jy genoem het. Gee hulle terug, en vat plekke vir dié wat ' +
    'kom.',
  checkout: 'Gaan betaal',
  emptyCart: 'Gee alles terug',
  leaving: 'Jy mag hierdie bladsy verlaat: jou sitplekke wag tot die tyd verby is.',
  warning: (time) => `Net ${time} oor. Gaan betaal, dan kry jy meer tyd.`,
  held: (label, time) => `Sitplek ${label} word ${time} lank vir jou gehou.`,
  heldMany: (what, time) => `${what} word ${time} lank vir jou gehou.`,
  releasedNamed: (label) => `${label} is teruggegee.`,
  emptied: 'Alles is teruggegee.',
  emptiedBut: (what) =>
    `Alles is teruggegee, behalwe ${what}: ’n betaling daarvoor is aan die gang.`,
  retaken: 'Jou sitplekke is weer joune.',

  taken: (label) => `Sitplek ${label} is pas gevat.`,
  takenHeld: (label) => `Sitplek ${label} is in iemand se mandjie. Dit kan terugkom.`,
  takenAlternatives: 'Hierdie is langsaan beskikbaar:',
  takeInstead: (labels) => `Vat ${labels}`,
  orphanHint: (labels) =>
    `Sitplek ${labels} sou alleen bly. Vat dit ook, of skuif een op: by betaling vra ons ` +
    'dalk.',
  orphanTitle: 'Laat asseblief geen enkele sitplek oor nie',
  orphanWhy: (labels) =>
    `Jou keuse sou sitplek ${labels} alleen laat, en amper niemand kom alleen nie. Hierdie ` +
    'keuses is net so goed, en met een klik joune:',
  orphanWhyOnly: (labels) =>
    `Jou keuse sou sitplek ${labels} alleen laat, en amper niemand kom alleen nie. Gee asseblief ` +
    'jou sitplekke terug en laat ons ander soek.',
  swapUndone: (what) => `Die ander keuse kon nie gevat word nie. Jy het dit terug: ${what}.`,
  orphanInsist: 'Hou my keuse',
  orphanBack: 'Ek kies self',
  friendsTitle: (number) => (number === 1 ? 'Vir wie is dit?' : 'Vir wie is hulle?'),
  friendsWhy:
    'Hierdie deel is vir lede en genooide mense. Een plek is joune; sê asseblief vir elke ander ' +
    'plek vir wie dit is.',
  friendsOwned:
    'Hierdie deel is vir lede en genooide mense. Jy het reeds jou eie kaartjie; sê asseblief vir ' +
    'wie elkeen van hierdie plekke is.',
  friendNumber: (number) => `Lidnommer van persoon ${number}`,
  friendNoNumber: 'Tik asseblief die hele nommer in, met sy strepies.',
  friendTwice: 'Elke plek is vir ’n ander persoon.',
  friendDenied: 'Hierdie persoon mag nie in hierdie deel inkom nie.',
  friendsAgain: 'Een van hierdie mense het reeds ’n plek. Noem asseblief iemand anders.',
  friendsOwnNumber: 'Jou eie nommer, vir vriende wat vir jou koop:',
  friendsSay: 'Vat die plekke',
  friendsCancel: 'Nie nou nie',
  companionTitle: 'Kom jy saam met iemand?',
  companionWhy: (label) =>
    `Sitplek ${label} langs jou is vir jou metgesel. Niemand anders kan dit vat terwyl jy die ` +
    'rolstoelplek hou nie.',
  companionOwned: (label) =>
    `Sitplek ${label} langs die rolstoelplek wat jy gekoop het, is vir jou metgesel. Niemand ` +
    'anders kan dit vat nie, tensy die geleentheid amper uitverkoop is.',
  companionPrice: (price) => `Dit kos ${price}.`,
  companionTake: (label) => `Voeg sitplek ${label} by`,
  companionAccess:
    'Die plek is sonder trappe en het draairuimte. Sê asseblief vir die personeel by die deur ' +
    'as jy hulp nodig het.',
  expiredTitle: 'Jou tyd was verby',
  expiredWhy: (what) =>
    `${what} is weer te koop, sodat ander ook ’n kans het. As niemand dit gevat het nie, kan ` +
    'dit weer joune wees.',
  expiredChosen: (what) =>
    `${what} is weer te koop, sodat ander ook ’n kans het. Laat ons weer vir jou sitplekke soek.`,
  expiredRetake: 'Probeer dit terugkry',
  endedByStaff: (what) => `Die kaartjieskantoor moes ${what} terugneem.`,

  stale: 'Geen verbinding nie. Wat jy sien, kan oud wees; ons hou aan probeer.',
  staleGo: 'Probeer nou',
  reconnecting: 'Verbind weer …',
  recovered: 'Weer verbind. Alles is op datum.',
  offline: 'Jy is vanlyn. Jou sitplekke bly joune tot hulle tyd verby is.',

  checkoutTitle: 'Betaal',
  checkoutItems: 'Jou kaartjies',
  checkoutPrice: 'Prys',
  checkoutPay: (price) => `Betaal ${price}`,
  checkoutFree: 'Kry die kaartjies',
  checkoutExtended: 'Jy het meer tyd om te betaal.',
  checkoutMore: 'Ek het meer tyd nodig',
  checkoutMoreDone: (time) => `Jy het tot ${time}.`,
  checkoutMoreNo: 'Langer as dit kan sitplekke nie gehou word nie.',
  checkoutCancel: 'Kanselleer en gee die sitplekke terug',
  checkoutCancelSure: 'Gee al hierdie sitplekke terug? Ander kan hulle dadelik vat.',
  checkoutCancelYes: 'Ja, gee hulle terug',
  checkoutCancelNo: 'Nee, hou hulle',
  checkoutBack: 'Terug na die sitplekke',
  checkoutDeclined: 'Die betaling is geweier. Niks is betaal nie; probeer ’n ander kaart.',
  checkoutRefused: 'Hierdie sitplekke kan nie betaal word soos hulle nou is nie',
  checkoutAlone: (labels) =>
    `Jy het iets teruggegee, en wat oor is, sou sitplek ${labels} alleen laat. ` +
    'Gaan terug na die sitplekke en weer na die kassa: ander keuses word daar gewys.',
  checkoutAloneOnly: (labels) =>
    `Jy het iets teruggegee, en wat oor is, sou sitplek ${labels} alleen laat. ` +
    'Gaan terug na die sitplekke, gee hierdie ook terug, en laat ons ander soek.',
  checkoutSecure: 'Jy betaal by ons betaalvennoot. Ons sien nooit jou kaart nie.',
  payingTitle: 'Ons wag vir die bank',
  payingHow: 'Jou sitplekke is solank veilig. Hierdie bladsy gaan vanself voort.',
  payingAgain: 'Maak die betaalbladsy weer oop',
  payingDeadline: (time) => `Die bank het tot ${time}.`,
  doneTitle: 'Jy is in!',
  doneHow: 'Wys een van hierdie kodes by die deur. Hulle is ook onder “My kaartjies”.',
  overTitle: 'Hierdie betaling is verby',
  overAbandoned: 'Die tyd om te betaal was verby, en die sitplekke is weer te koop.',
  overFailed: 'Die betaling het nie gewerk nie, en die sitplekke is weer te koop.',
  overCancelled: 'Jy het hierdie sitplekke teruggegee. Niks is betaal nie.',
  overLate: 'As jou bank die geld gevat het, kry jy die sitplekke of die geld terug.',
  chooseAgain: 'Kies weer',

  ticketsTitle: 'My kaartjies',
  ticketsEmpty: 'Jy het nog nie kaartjies nie.',
  ticketCode: 'Kode',
  ticketQr: (code) => `QR-kode van kaartjie ${code}`,
  ticketValid: 'Geldig op',
  ticketUsed: 'Is gebruik',
  ticketEnded: 'Hierdie kaartjie is nie meer geldig nie.',
  ticketPrint: 'Druk',

  notFoundTitle: 'Hier is niks nie',
  notFoundHow: 'Die skakel is dalk oud, of die vertoning is verby.',
  toEvents: 'Na die vertonings',
  failedTitle: 'Dit het nie gewerk nie',

  demo: 'Demo',
  demoTitle: 'Probeer dit uit',
  demoHow: 'Hierdie winkel loop in demomodus: geen geld beweeg nie, en jy mag enigiemand wees.',
  demoWho: 'Wie jy is',
  demoCustomer: 'Klant',
  demoStaff: 'Werk eerder by die kaartjieskantoor',
  demoAtDesk: 'Personeel. Jou rol staan langs “Meld af”; meld weer aan om dit te verander.',
  demoShop: 'Wees eerder ’n klant',
  demoAnother: 'Word ’n ander klant',
  demoOther: 'Jy is nou iemand anders. Die vorige sitplekke bly gehou tot hulle tyd verby is.',
  demoSale: 'Boots ’n verkoop na',
  demoSaleHow: 'Nagebootste kopers kom deur dieselfde API as jy. Kyk hoe die kaart vol word.',
  demoSaleOpen: 'Maak ’n vertoning oop om sy verkoop na te boots.',
  demoBuyers: 'Kopers',
  demoStart: (number) => `Laat ${count(number)} kopers in`,
  demoStop: 'Hou op',
  demoRunning: (done, all, sold) =>
    `${count(done)} van ${count(all)} kopers is klaar, ${tickets(sold)} verkoop.`,
  demoDocs: 'API-verwysing',

  errors: ERRORS_AF,
};
