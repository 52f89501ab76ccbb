import type { DeskWords } from './desk-language.svelte.ts';

const count = (number: number) => number.toLocaleString('af-ZA');

/** Wat elke toonbank sê. */
export const COMMON_AF: DeskWords['common'] = {
  desk: 'Personeel',
  menu: 'Kieslys',
  groups: { plans: 'Die saal', organization: 'Organisasie', records: 'Rekords' },
  ofEvent: 'Hierdie vertoning',
  signIn: 'Meld aan',
  signInLead: 'Vir die kaartjieskantoor, organiseerders en dié by die deur.',
  credential: 'Toegangsteken of API-sleutel',
  credentialHow:
    'Jou platform gee dit vir jou. Dit word net in hierdie blaaier gehou, en net vir hierdie ' +
    'oortjie tensy jy anders sê.',
  keepMe: 'Bly op hierdie toestel aangemeld',
  signInFailed: 'Dit is nie ’n geldige teken of sleutel nie.',
  signedOut: 'Jy is afgemeld omdat die teken of sleutel nie meer geldig is nie.',
  signOut: 'Meld af',
  demoRoles: 'Dit is ’n demonstrasie: wees enigiemand.',
  demoAs: (role) => `As ${role}`,
  roles: {
    owner: 'eienaar',
    admin: 'administrateur',
    staff: 'kaartjieskantoor',
    viewer: 'kyker',
    scanner: 'skandeerder',
    customer: 'klant',
  },
  notAllowed: 'Nie met hierdie rol nie',
  notAllowedHow: (scope) =>
    `Hierdie skerm het die toestemming ${scope} nodig. ’n Eienaar of administrateur van jou ` +
    'organisasie kan dit gee.',
  events: 'Vertonings',
  eventsEmpty: 'Daar is nog geen vertonings nie.',
  statuses: {
    draft: 'Konsep',
    published: 'Gepubliseer',
    live: 'Te koop',
    ended: 'Verby',
    cancelled: 'Gekanselleer',
    postponed: 'Uitgestel',
    archived: 'Geargiveer',
  },
  reason: 'Rede',
  reasonHow: (who) => `Word in die ouditspoor gehou met die tyd, en as ${who}.`,
  reasonNeeded: 'Sê asseblief hoekom.',
  notes: 'Notas',
  cancel: 'Kanselleer',
  save: 'Bewaar',
  saved: 'Bewaar.',
  working: (done, total) => `${count(done)} van ${count(total)} …`,
  workingOn: 'Besig …',
  notAccepted: 'Dit is nie aanvaar nie:',
  workFailed: 'Dit is nie klaar nie. Wat gedoen is, bly gedoen; ’n herhaling doen niks dubbel nie.',
  stop: 'Stop',
  again: 'Probeer weer',
  more: 'Wys meer',
  live: 'Lewendig',
  connecting: 'Verbind …',
  stale: 'Geen verbinding: wat jy sien kan oud wees.',
  nothing: 'Niks hier nie.',
  search: 'Soek',
  filter: 'Filter',
  all: 'Almal',
  none: 'Geen',
  seatCount: (number) => (number === 1 ? '1 sitplek' : `${count(number)} sitplekke`),
};
