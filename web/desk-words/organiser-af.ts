import type { DeskWords } from './desk-language.svelte.ts';
import { POLICY_MEANINGS_AF, POLICY_NAMES_AF } from './policy-af.ts';

const count = (number: number) => number.toLocaleString('af-ZA');

/** Vertonings, beleid, mense, sleutels en webhake. */
export const ORGANISER_AF: DeskWords['organiser'] = {
  setup: 'Opstelling',
  newEvent: 'Nuwe vertoning',
  steps: 'Stappe',
  stepNames: {
    place: 'Lokaal en plan',
    facts: 'Naam en tye',
    prices: 'Pryse',
    review: 'Kyk na en publiseer',
  },
  next: 'Bewaar en gaan voort',
  makeDraft: 'Maak die konsep',
  venue: 'Lokaal',
  noVenue: 'Geen lokaal nie',
  whatIsSold: 'Wat verkoop word',
  fromLayout: 'Sitplekke en sones van ’n uitleg',
  openZones: 'Sones sonder uitleg, vir algemene toegang',
  noLayouts: 'Hierdie lokaal het geen aktiewe uitleg nie.',
  noZones: 'Kies eers wat verkoop word.',
  zoneNumber: (number) => `Sone ${number}`,
  addZone: 'Voeg ’n sone by',
  remove: 'Verwyder',
  timesIn: (zone) => `Tye is dié van ${zone}.`,
  startsAt: 'Begin',
  endsAt: 'Eindig',
  saleStartsAt: 'Verkope begin',
  saleEndsAt: 'Verkope eindig',
  times: {
    starts_at: 'Begin',
    ends_at: 'Eindig',
    sale_starts_at: 'Verkope begin',
    sale_ends_at: 'Verkope eindig',
  },
  days: 'Dae waarop kaartjies geldig is',
  daysHow:
    'Die deur laat gaste op hierdie dae in. ' +
    '’n Nag wat voor ses die oggend eindig, hoort by die vorige dag.',
  manyDays: (chosen, all) =>
    chosen === all
      ? `Kaartjies is op al ${all} dae geldig.`
      : `Kaartjies is op ${chosen} van ${all} dae geldig.`,
  saleHow:
    'Sonder ’n begin is dit te koop sodra dit gepubliseer is, sonder ’n einde totdat dit verby is.',
  currency: 'Geldeenheid',
  zone: 'Sone',
  price: (currency) => `Prys (${currency})`,
  pricesHow: (currency) => `Per plek, in ${currency}. Gratis is 0.`,
  pricesMean: 'Tydens verkope geld dit vir alles wat nog nie betaal word nie.',
  savePrices: 'Bewaar die pryse',
  sale: 'Te koop',
  atOnce: 'dadelik',
  missing: 'Voordat dit gepubliseer kan word:',
  missingWhat: {
    layout: (_name) => 'Kies wat verkoop word.',
    price: (name) => `${name} het ’n prys nodig.`,
    over: (_name) => 'Die einde is in die verlede.',
  },
  goThere: 'Doen dit nou',
  publishMeans:
    'Almal sien dit in die winkel, en dit word verkoop vandat die verkope begin. ' +
    'Daarna verander die uitleg net deur ’n migrasie.',
  publish: 'Publiseer',
  published: 'Dit is gepubliseer.',
  seeInShop: 'Sien dit in die winkel',
  goOn: 'Gaan voort met die konsep',
  postponedBecause: (reason) => `Uitgestel: ${reason}`,
  stepVerbs: {
    publish: 'Publiseer weer',
    open: 'Maak die deure oop',
    end: 'Beëindig',
    postpone: 'Stel uit',
    cancel: 'Kanselleer die vertoning',
    archive: 'Argiveer',
  },
  keepEvent: 'Behou die vertoning',
  cancelTickets: (number, amount) =>
    number === 1
      ? `1 kaartjie is verkoop, vir ${amount}: dit word ’n terugbetaling wat verskuldig is.`
      : `${count(number)} kaartjies is verkoop, vir ${amount}: dit word terugbetalings wat ` +
        'verskuldig is.',
  cancelNoTickets: 'Geen kaartjie is verkoop waarvoor ’n terugbetaling verskuldig sou wees nie.',
  cancelSettled: (number) =>
    number === 1
      ? 'Vir 1 geldige kaartjie is ’n terugbetaling reeds verskuldig of gedoen.'
      : `Vir ${count(number)} geldige kaartjies is terugbetalings reeds verskuldig of gedoen.`,
  cancelHeld: (number) =>
    number === 0
      ? 'Geen plek word gehou nie.'
      : number === 1
        ? '1 plek in ’n mandjie of vir ’n beller word dadelik vrygestel.'
        : `${count(number)} plekke in mandjies of vir bellers word dadelik vrygestel.`,
  cancelPaying: (number, amount) =>
    number === 1
      ? `1 persoon betaal op die oomblik ${amount}: as dit slaag, is dit terug verskuldig.`
      : `${count(number)} mense betaal op die oomblik ${amount}: wat slaag, is terug verskuldig.`,
  cancelNoPaying: 'Geen betaling is aan die gang nie.',
  publishAsk: (name) => `Publiseer ${name}?`,
  publishFrom: (time) => `Dit kan gekoop word: ${time}.`,
  publishPlaces: (number) => `${count(number)} plekke word aangebied.`,
  publishPrices: (range) => `Pryse: ${range}.`,
  pricesAsk: (name) => `Nuwe pryse vir ${name}?`,
  pricesKept:
    'Dit geld vir wat van nou af na die kassa gaan. Wat reeds by die kassa is, behou sy pryse, ' +
    'en verkoopte kaartjies wat daarvoor betaal is.',
  stepTitle: {
    publish: (name) => `Publiseer ${name} weer?`,
    open: (name) => `Maak die deure van ${name} oop?`,
    end: (name) => `Beëindig ${name}?`,
    postpone: (name) => `Stel ${name} uit?`,
    cancel: (name) => `Kanselleer ${name}?`,
    archive: (name) => `Argiveer ${name}?`,
  },
  stepMeans: {
    publish: 'Dit is weer te koop, met sy nuwe datum. Kaartjies wat verkoop is, bly geldig.',
    open: 'Die vertoning is aan die gang. Verkope gaan voort binne hul tyd.',
    end: 'Niks word meer verkoop nie, en besprekings eindig. Kaartjies en syfers bly.',
    postpone:
      'Verkope hou op totdat daar ’n nuwe datum is. Kaartjies bly geldig; gee dit ander tye, en ' +
      'publiseer dit weer.',
    cancel:
      'Verkope hou vir goed op, wat gehou word, word vrygestel, en wat betaal is, moet ' +
      'terugbetaal word. Dit kan nie teruggeneem word nie.',
    archive: 'Dit word weggebêre: net personeel sien dit nog. Dit kan nie teruggeneem word nie.',
  },
  stepDone: {
    publish: 'Dit is weer gepubliseer.',
    open: 'Dit is aan die gang.',
    end: 'Dit is verby.',
    postpone: 'Dit is uitgestel.',
    cancel: 'Dit is gekanselleer.',
    archive: 'Dit is geargiveer.',
  },
  migrate: '’n Ander uitleg onder die verkope',
  migrateHow:
    'Dit word net gedoen as niemand wat ’n plek hou of gekoop het, dit verloor nie. Probeer dit ' +
    'eers: ’n droë lopie verander niks.',
  migrateNowhere: 'Hierdie lokaal het geen ander aktiewe uitleg nie.',
  migrateTo: 'Na watter weergawe',
  dryRun: 'Droë lopie',
  migratePossible: 'Niemand verloor ’n plek nie.',
  migrateImpossible: 'Iemand sou ’n plek verloor.',
  migrateCount: (held, sold, kept) =>
    `${count(held)} gehou, ${count(sold)} verkoop, ${count(kept)} hou hul sitplek.`,
  migrateLists: { moved: 'Geskuif', lost: 'Verloor', zones_lost: 'Sones sonder plek' },
  migrateDo: 'Doen dit',
  migrated: 'Die vertoning het sy nuwe uitleg.',
  whitelist: (zone) => `Wie in ${zone} mag inkom`,
  whitelistHow: 'Net die mense op hierdie lys kan hier koop. Dit geld vanaf hul volgende versoek.',
  whitelistEmpty: 'Nog niemand nie.',
  person: 'Lid, of id van ’n gebruiker',
  saveList: 'Bewaar die lys',

  policy: 'Sitplekbeleid',
  policyLead: 'Reëls vir alle vertonings. ’n Vertoning hou sy eie waar hy dit het.',
  policyName: (name) => POLICY_NAMES_AF[name] ?? name,
  policyMeaning: (name, sentence) => POLICY_MEANINGS_AF[name] ?? sentence,
  policyDefault: (value) => `Verstek: ${value}`,
  policyRange: (least, most) => `${count(least)} tot ${count(most)}`,
  policyClamped: 'wat daarbuite lê, word na die rand geskuif',
  policyNullable: 'leeg: geen perk nie',
  policyField: 'in die API',
  policyWhole: 'vir die hele organisasie, nie vir enkele vertonings nie',
  policyChanges: (number) => (number === 1 ? '1 verandering' : `${count(number)} veranderings`),
  policyMeans:
    'Dit geld vir nuwe versoeke; vertonings wat nog nie verby is nie, kry dit een na die ander.',
  policySaved: 'Die beleid is bewaar.',
  locked: 'Gesluit: die administrateur van die platform het dit vir julle organisasie vasgestel.',
  forget: 'Vergeet die veranderings',
  yes: 'ja',
  no: 'nee',
  noLimit: 'geen perk nie',

  members: 'Mense',
  addMember: 'Voeg iemand by',
  changeMember: 'Verander die lidmaatskap',
  subject: 'Onderwerp',
  subjectHow: 'Die sub van die tekens waarmee hulle kom: dikwels hul e-posadres of ’n id.',
  email: 'E-posadres',
  role: 'Rol',
  roleMeans: {
    owner: 'Alles, ook die beleid, uitreikers en terugbetalings.',
    admin: 'Alles behalwe beleid, uitreikers en terugbetalings; maak personeel en laer.',
    staff: 'Beplan vertonings en uitlegte, werk by die kaartjieskantoor.',
    viewer: 'Kyk na vertonings, uitlegte en verkoopsyfers; sien geen koper en skandeer nie.',
    scanner: 'Laat mense in.',
    customer: 'Koop.',
  },
  tier: 'Lidmaatskapvlak',
  state: 'Toestand',
  validUntil: 'Geldig tot',
  actions: 'Wat gedoen kan word',
  memberStates: { active: 'Aktief', revoked: 'Ingetrek', expired: 'Verval' },
  giveBack: 'Maak die lidmaatskap weer aktief',
  revoke: 'Trek in',
  erase: 'Wis data uit',
  memberAsk: {
    revoke: (name) => `Trek die lidmaatskap van ${name} in?`,
    erase: (name) => `Wis uit wat persoonlik is van ${name}?`,
  },
  memberMeans: {
    revoke: 'Hulle is van nou af ’n klant, wat hul teken ook al sê. Dit kan later teruggegee word.',
    erase:
      'Naam, e-posadres en waarvandaan hulle gebel het, word vir goed vergeet. Kaartjies, ' +
      'besprekings en die ouditspoor hou ’n id wat niks van hulle sê nie. Dit kan nie ' +
      'teruggeneem word nie.',
  },
  memberDone: {
    revoke: (name) => `${name} is nie meer ’n lid nie.`,
    erase: (_name) => 'Wat persoonlik was, is uitgewis.',
  },

  access: 'Toegang',
  keys: 'API-sleutels',
  newKey: 'Nuwe sleutel',
  noKeys: 'Daar is nog geen sleutels nie.',
  keyName: 'Waarvoor dit is',
  keyDays: 'Geldig vir (dae); leeg: totdat dit ingetrek word',
  keyScopes: 'Waarvoor dit goed is',
  makeKey: 'Maak die sleutel',
  keyOf: (name) => `Die sleutel “${name}”`,
  onlyOnce: 'Dit word net hierdie keer gewys en nooit weer nie. Hou dit waar geheime gehou word.',
  copy: 'Kopieer',
  copied: 'Gekopieer.',
  haveIt: 'Ek het dit',
  madeAt: (time) => `gemaak ${time}`,
  usedAt: (time) => `laas gebruik ${time}`,
  neverUsed: 'nooit gebruik nie',
  validTo: (time) => `geldig tot ${time}`,
  rotate: 'Vervang',
  keyRevoke: (name) => `Trek “${name}” in?`,
  keyRevokeMeans:
    'Elke node weier dit binne 5 sekondes. Wat dit ook al gebruik, hou op werk. Dit kan nie ' +
    'teruggeneem word nie; om dit sonder ’n gaping te vervang, kies Vervang.',
  scopes: {
    buy: 'hou sitplekke en betaal daarvoor, as jouself',
    'events:read': 'sien vertonings van elke toestand',
    'events:write': 'beplan en verander vertonings, begin en beëindig hulle',
    'events:publish': 'publiseer, kanselleer, stel uit en argiveer vertonings',
    'figures:read': 'sien hoe ’n verkoop gaan: plekke, bedrae en tellings, nooit wie nie',
    'holds:read': 'sien wie watter sitplek hou',
    'holds:write': 'hou vir ’n beller, en stel besprekings van ander vry',
    'seats:block': 'neem sitplekke uit die verkope en sit hulle terug',
    'tickets:read': 'sien kaartjies, betalings en toegang, en soek daarna',
    'tickets:write': 'verkoop by die deur, kanselleer kaartjies en gee ’n ander sitplek',
    'tickets:scan': 'laat mense in en uit',
    'refunds:read': 'sien wat terugbetaal moet word',
    'refunds:write': 'betaal kaartjies terug',
    'layouts:read': 'sien lokale, uitlegte en die sitplekbeleid',
    'layouts:write': 'maak lokale en teken uitlegte',
    'layouts:activate': 'maak uitlegte aktief en argiveer hulle',
    'policy:write': 'verander die sitplekbeleid',
    'members:read': 'sien die lede van die organisasie',
    'members:write': 'voeg lede by, verander en trek in',
    'keys:read': 'sien die API-sleutels, nooit hul geheime nie',
    'keys:write': 'maak, vervang en trek API-sleutels in',
    'issuers:read': 'sien wie tekens mag onderteken',
    'issuers:write': 'registreer en verwyder uitreikers van tekens',
    'webhooks:read': 'sien webhake en wat aan hulle gestuur is',
    'webhooks:write': 'maak, verander, toets en herhaal webhake',
    'audit:read': 'lees en verifieer die ouditspoor',
    'personal_data:erase': 'wis uit wat persoonlik is van ’n gebruiker',
  },
  issuers: 'Uitreikers van tekens',
  issuersHow: 'Julle eie stelsels wie se ondertekende tekens geglo word.',
  noIssuers: 'Daar is geen nie: net die operateur onderteken tekens.',
  addIssuer: 'Voeg ’n uitreiker by',
  issuer: 'Uitreiker (iss)',
  jwks: 'Adres van die sleutels (JWKS)',
  audience: 'Gehoor (aud)',
  algorithms: 'Algoritmes',
  issuerRemove: (name) => `Verwyder ${name}?`,
  issuerRemoveMeans:
    'Die tekens daarvan word nie meer geglo nie. Wie daarmee gekom het, word afgemeld.',

  webhooks: 'Webhake',
  webhooksLead:
    'Julle eie stelsels hoor wat gebeur: onderteken, in volgorde, minstens een keer elk.',
  newWebhook: 'Nuwe webhaak',
  changeWebhook: 'Verander die webhaak',
  noWebhooks: 'Niemand word nog iets vertel nie.',
  url: 'Webadres',
  whichKinds: 'Wat dit vertel word',
  whichEvents: 'Van watter vertonings',
  allKinds: 'alles',
  allEvents: 'alle vertonings',
  chosen: (number) => `${count(number)} gekies`,
  pending: (number) => (number === 0 ? 'niks wag nie' : `${count(number)} wag`),
  lastArrived: (time) => `laas aangekom ${time}`,
  secretOf: (url) => `Die geheim van ${url}`,
  webhookStates: { good: 'Aktief', warn: 'Kom nie aan nie', bad: 'Afgeskakel' },
  disabledBecause: {
    failing: 'Afgeskakel: niks het vir drie dae aangekom nie.',
    gone: 'Afgeskakel: dit het geantwoord dat dit weg is (410).',
    by_hand: 'Met die hand afgeskakel.',
  },
  oldSecretUntil: (time) => `Die vorige geheim onderteken ook tot ${time}.`,
  test: 'Stuur ’n toets',
  testGood: (status, ms) => `Dit het aangekom: antwoord ${status} na ${count(ms)} ms.`,
  testBad: (why) => `Dit het nie aangekom nie: ${why}`,
  rotateSecret: 'Nuwe geheim',
  enable: 'Skakel aan',
  disable: 'Skakel af',
  webhookAsk: { disable: 'Skakel hierdie webhaak af?', remove: 'Verwyder hierdie webhaak?' },
  webhookMeans: {
    disable:
      'Niks word gestuur totdat dit weer aangeskakel is nie; boodskappe van intussen word dan ' +
      'gestuur.',
    remove:
      'Niks word meer gestuur nie, en die geheim en die log is weg. Dit kan nie teruggeneem ' +
      'word nie.',
  },
  webhookDone: { disable: 'Dit is afgeskakel.', remove: 'Dit is verwyder.' },
  replayTitle: 'Stuur vorige boodskappe weer',
  replayHow: 'Elke boodskap sedert ’n tyd word nog een keer gestuur, met dieselfde id’s.',
  replayFrom: (zone) => `Sedert (${zone})`,
  replay: 'Stuur weer',
  replayed: (number) =>
    number === 1
      ? '1 boodskap word weer gestuur.'
      : `${count(number)} boodskappe word weer gestuur.`,
  log: 'Aflewerings',
  logEmpty: 'Niks is nog gestuur nie.',
  refresh: 'Verfris',
  number: 'Nr.',
  kind: 'Soort',
  answer: 'Antwoord',
  tries: 'Pogings',
  when: 'Wanneer',
  detail: 'Besonderhede',
  newest: 'Nuutste',
  older: 'Ouer',
  deliveryStates: { pending: 'Wag', delivered: 'Aangekom', dead: 'Opgegee' },
  delivery: 'Aflewering',
  deliveryId: 'Identiteit',
  lastTry: 'Laaste poging',
  nextTry: 'Volgende poging',
  answerBody: 'Wat teruggekom het',
  payload: 'Wat gestuur is',
  sendAgain: 'Stuur dit weer',
  skip: 'Slaan dit oor',
  skipTitle: 'Slaan hierdie aflewering oor?',
  skipMeans:
    'Dit word opgegee, en wat daaragter wag, gaan uit. Die ontvanger hoor nooit daarvan nie, ' +
    'tensy dit met die hand weer gestuur word.',
  kinds: {
    seat_held: 'Sitplek gehou',
    hold_extended: 'Bespreking verleng',
    hold_reduced: 'Plekke teruggegee',
    hold_expired: 'Bespreking verval',
    seat_released: 'Sitplek vrygestel',
    seat_sold: 'Sitplek verkoop',
    seat_blocked: 'Sitplek geblokkeer',
    seat_unblocked: 'Sitplek oopgestel',
    checkout_started: 'Betaling begin',
    checkout_completed: 'Aankoop voltooi',
    checkout_abandoned: 'Aankoop verlaat',
    checkout_failed: 'Aankoop misluk',
    checkout_cancelled: 'Aankoop gekanselleer',
    payment_initiated: 'Betaling aangevra',
    payment_succeeded: 'Betaling geslaag',
    payment_failed: 'Betaling misluk',
    payment_refunded: 'Betaling terugbetaal',
    refund_due: 'Terugbetaling verskuldig',
    ticket_voided: 'Kaartjie ongeldig gemaak',
    ticket_refunded: 'Kaartjie terugbetaal',
    ticket_reseated: 'Kaartjie verskuif',
    event_changed: 'Vertoning verander',
    capacity_critical: 'Byna vol',
    test: 'Toets',
  },
};
