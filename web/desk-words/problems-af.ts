import type { DeskWords } from './desk-language.svelte.ts';

const count = (number: number) => number.toLocaleString('af-ZA');
const many = (one: string, more: string) => (number: number) =>
  number === 1 ? `1 ${one}` : `${count(number)} ${more}`;
const both = (one: string, more: string, rest: string) => many(`${one} ${rest}`, `${more} ${rest}`);

const KINDS: Readonly<Record<string, (number: number) => string>> = {
  wrong_type: both('waarde', 'waardes', 'van die verkeerde soort'),
  missing_field: many('waarde ontbreek', 'waardes ontbreek'),
  unknown_field: both('veld', 'velde', 'wat nie bekend is nie'),
  unknown_value: both('keuse', 'keuses', 'wat nie bekend is nie'),
  not_integer: many('waarde is nie ’n heelgetal nie', 'waardes is nie heelgetalle nie'),
  out_of_range: many('getal is te klein of te groot', 'getalle is te klein of te groot'),
  not_uuid: many('id is nie ’n UUID nie', 'id’s is nie UUID’s nie'),
  text_blank: many('teks is leeg', 'tekste is leeg'),
  text_too_long: many('teks is te lank', 'tekste is te lank'),
  text_invalid: both('teks', 'tekste', 'met karakters wat nie toegelaat word nie'),
  list_empty: many('lys is te kort', 'lyste is te kort'),
  list_too_long: many('lys is te lank', 'lyste is te lank'),
  metadata_too_large: many('nota is te groot', 'notas is te groot'),
  too_many_problems: () => 'Daar is meer foute as wat hier gelys word',
  duplicate_key: both('naam', 'name', 'wat twee keer in een voorwerp staan'),
  duplicate_zone_name: both('sone', 'sones', 'met die naam van ’n ander sone'),
  duplicate_zone_id: both('sone', 'sones', 'met die id van ’n ander sone'),
  duplicate_label: both('sitplek', 'sitplekke', 'met die naam van ’n ander sitplek'),
  duplicate_seat_id: both('sitplek', 'sitplekke', 'met die id van ’n ander sitplek'),
  duplicate_group_id: both('groep', 'groepe', 'met die id van ’n ander groep'),
  duplicate_seat_number: both('nommer', 'nommers', 'wat twee keer in een ry staan'),
  duplicate_order: both('posisie', 'posisies', 'wat twee keer in een ry staan'),
  order_incomplete: both('ry', 'rye', 'met posisies vir net sommige sitplekke'),
  ring_impossible: both(
    'ronde tafel',
    'ronde tafels',
    'met ’n paadjie of minder as drie sitplekke',
  ),
  empty_zone: both('sone', 'sones', 'sonder sitplekke en sonder ’n aantal plekke'),
  seats_and_rows: both('sone', 'sones', 'met sitplekke plat én in rye gelys'),
  seats_not_allowed: both('sone', 'sones', 'met sitplekke, van ’n soort wat geen het nie'),
  capacity_mismatch: both('sone', 'sones', 'met ’n ander aantal plekke as sitplekke'),
  membership_tier_missing: both('sone', 'sones', 'vir lede, sonder ’n lidmaatskapvlak'),
  tier_invalid: both('lidmaatskapvlak', 'lidmaatskapvlakke', 'wat geen lid kan hê nie'),
  allowed_roles_missing: both('sone', 'sones', 'vir rolle, sonder enige rol'),
  too_many_seats: () => 'Die uitleg het te veel sitplekke',
  too_much_capacity: () => 'Die uitleg het te veel plekke',
  coordinates_out_of_range: both('sitplek', 'sitplekke', 'te ver van die middel af'),
  seats_overlap: both('sitplek', 'sitplekke', 'wat op ’n ander sitplek lê'),
  companion_unknown: both('metgeselplek', 'metgeselplekke', 'van ’n plek wat nie bestaan nie'),
  companion_in_other_zone: both('metgeselplek', 'metgeselplekke', 'in ’n ander sone'),
  companion_not_companion: both(
    'sitplek',
    'sitplekke',
    'langs ’n rolstoelplek, nie vir ’n metgesel',
  ),
  companion_not_wheelchair: both('metgeselplek', 'metgeselplekke', 'nie van ’n rolstoelplek nie'),
  companion_cycle: both('sitplek', 'sitplekke', 'wat mekaar se metgesel is'),
  companion_conflict: both('rolstoelplek', 'rolstoelplekke', 'met twee metgeselplekke'),
  unknown_zone: many('sone bestaan nie', 'sones bestaan nie'),
  unknown_seat: many('sitplek bestaan nie', 'sitplekke bestaan nie'),
  group_zone_mismatch: both('groep', 'groepe', 'met sitplekke van ’n ander sone'),
  group_too_small: both('groep', 'groepe', 'met te min sitplekke'),
  seat_in_two_groups: many('sitplek is in twee groepe', 'sitplekke is in twee groepe'),
  wheelchair_pair_invalid: both('paar', 'pare', 'wat nie ’n rolstoelplek met sy metgesel is nie'),
  zone_type_not_allowed: both('sone', 'sones', 'van ’n soort wat jou beleid nie toelaat nie'),
  access_mode_not_allowed: both('sone', 'sones', 'met toegang wat jou beleid nie toelaat nie'),
  category_not_allowed: both('sitplek', 'sitplekke', 'van ’n soort wat jou beleid nie toelaat nie'),
  hybrid_not_allowed: () => 'Jou beleid laat nie sitplekke en oop areas in een uitleg toe nie',
};

const SAYINGS: readonly [RegExp, (...found: string[]) => string][] = [
  [/taken|registered already/, () => 'word reeds gebruik; kies ’n ander een'],
  [/^must have required property/, () => 'is nodig'],
  [/^must match format "uri"/, () => 'moet ’n webadres wees'],
  [/^must match format "email"/, () => 'moet ’n e-posadres wees'],
  [/^must match format "date-time"/, () => 'moet ’n datum en ’n tyd wees'],
  [/^must match format/, () => 'lyk nie reg nie'],
  [/^must match pattern/, () => 'het karakters wat nie hier toegelaat word nie'],
  [/^must be >= (.+)$/, (least) => `moet minstens ${least} wees`],
  [/^must be <= (.+)$/, (most) => `mag hoogstens ${most} wees`],
  [/^must NOT have more than (\d+) (character|item)s/, (most) => `is te lank: hoogstens ${most}`],
  [/^must NOT have fewer than 1 character/, () => 'mag nie leeg wees nie'],
  [/^must NOT have fewer than (\d+)/, (least) => `het minstens ${least} nodig`],
  [/^must be (integer|number)$/, () => 'moet ’n getal wees'],
  [
    /^has an unknown field/,
    () => 'het iets wat hierdie bediener nie ken nie: laai die bladsy weer',
  ],
  [
    /has (\d+) places, but the venue (\d+)/,
    (places, most) =>
      `Die plan het ${count(Number(places))} plekke, maar die lokaal neem ` +
      `${count(Number(most))}. Maak die plan kleiner, of verander hoeveel mense die lokaal neem.`,
  ],
  [
    /^This must lie between (-?[\d.]+) and (-?[\d.]+)\.$/,
    (least, most) => `Dit moet tussen ${least} en ${most} lê.`,
  ],
  [/^This must be a whole number\.$/, () => 'Dit moet ’n heelgetal wees.'],
  [/^This must be a number\.$/, () => 'Dit moet ’n getal wees.'],
  [/^This must be a text\.$/, () => 'Dit moet ’n teks wees.'],
  [/^This is missing\.$/, () => 'Dit ontbreek.'],
  [/^This must not be blank\.$/, () => 'Dit mag nie leeg wees nie.'],
  [/^This must have at most (\d+) characters\.$/, (most) => `Hoogstens ${most} karakters.`],
  [/^The front row is too short for its/, () => 'Die voorste ry is te kort hiervoor.'],
  [/^The corners do not fit/, () => 'Die hoeke pas nie op die veld nie.'],
  [
    /^There is no such seat with .*: (.+)\.$/,
    (seat) => `Hier is nie so ’n sitplek met nog een regs daarvan nie: ${seat}.`,
  ],
  [
    /^There is no such seat in this shape: (.+)\.$/,
    (seat) => `Hier is nie so ’n sitplek nie: ${seat}.`,
  ],
  [
    /^Both (.+) and (.+) would have a seat (\S+)\./,
    (one, other, seat) =>
      `${one} én ${other} sou ’n sitplek ${seat} hê. Laat iets anders voor die name van een staan.`,
  ],
];

export const PROBLEMS_AF: DeskWords['problems'] = {
  field: (label, what) => `${label}: ${what}`,
  fieldOf: (name) => FIELDS[name] ?? `${name}`.replaceAll('_', ' '),
  saying: (message) => {
    for (const [pattern, say] of SAYINGS) {
      const found = pattern.exec(message);
      if (found) return say(...found.slice(1));
    }
    return null;
  },
  httpsOnly: 'Die adres moet met https:// begin en van die internet af bereikbaar wees.',
  kind: (code, number) =>
    KINDS[code]?.(number) ?? (number === 1 ? '1 ander fout' : `${count(number)} ander foute`),
  isKind: (code) => code in KINDS,
  places: (kind, names, hasMore) =>
    hasMore ? `${kind}, byvoorbeeld ${names} …` : `${kind}: ${names}`,
  inShape: (number, field) => `vorm ${number}, ${field}`,
  whole: 'die hele plan',
  each: (number) => (number === 1 ? 'Presies waar' : `Al ${count(number)} plekke`),
};

const FIELDS: Readonly<Record<string, string>> = {
  url: 'Adres',
  address: 'Straatadres',
  name: 'Naam',
  slug: 'Kort naam in webadresse',
  timezone: 'Tydsone',
  description: 'Beskrywing',
  max_capacity: 'Mense wat gelyk in mag wees',
  kinds: 'Soorte boodskappe',
  event_ids: 'Vertonings',
  email: 'E-posadres',
  subject: 'Subject',
  role: 'Rol',
  tier: 'Lidmaatskapvlak',
  valid_until: 'Geldig tot',
  expires_in_days: 'Geldig vir (dae)',
  scopes: 'Regte',
  issuer: 'Uitreiker',
  jwks_uri: 'Adres van die sleutels',
  audience: 'Gehoor',
  starts_at: 'Begin',
  ends_at: 'Eindig',
  sale_starts_at: 'Verkoop begin',
  sale_ends_at: 'Verkoop eindig',
  currency: 'Geldeenheid',
  days: 'Dae',
  prices: 'Pryse',
  price_cents: 'Prys',
  zones: 'Sones',
  layout: 'Uitleg',
  layout_id: 'Uitleg',
  venue_id: 'Lokaal',
  capacity: 'Plekke',
  zone_type: 'Soort',
  zone: 'Sone',
  reason: 'Rede',
  booking: 'Naam',
  holder: 'Klant',
  hold_minutes: 'Minute',
  people: 'Mense',
  spec: 'Tekening',
  config: 'Plan',
};
