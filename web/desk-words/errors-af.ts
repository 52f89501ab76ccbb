import type { FailureCode } from '@voelgoed/client/client';
import type { RuleWords } from '#words';

/** Wat verkeerd geloop het, soos personeel dit lees. */
export const ERRORS_AF: Readonly<Record<FailureCode, string>> = {
  invalid_request: 'Die bediener het dit nie aanvaar nie. Gaan asseblief na wat jy ingevul het.',
  event_not_available:
    'Hierdie vertoning is nie te koop nie: dit is ’n konsep, verby, uitgestel of gekanselleer.',
  event_sales_closed: 'Die verkoop van hierdie vertoning is gesluit.',
  no_active_holds: 'Nie een van hierdie sitplekke word meer gehou nie. Kies hulle weer.',
  mixed_events: 'Een verkoop is vir een vertoning. Verkoop elke vertoning apart.',
  layout_invalid: 'Die uitleg het foute. Niks is bewaar nie.',
  unauthorized: 'Jou aanmelding het verval. Meld asseblief weer aan.',
  signature_invalid: 'Die boodskap is nie behoorlik onderteken nie. Gaan die geheim na.',
  forbidden: 'Jou rol laat dit nie toe nie. ’n Eienaar of admin kan jou die reg gee.',
  zone_access_denied: 'Hierdie sone is vir lede of mense op sy lys.',
  not_found: 'Dit bestaan nie (meer) nie. Laai die bladsy weer.',
  event_not_found: 'Hierdie vertoning bestaan nie (meer) nie.',
  seat_not_found: 'Die vertoning het nie so ’n sitplek nie. Die uitleg is dalk ander: laai weer.',
  zone_not_found: 'Die vertoning het nie so ’n sone nie. Die uitleg is dalk ander: laai weer.',
  hold_not_found: 'Hierdie bespreking is verby.',
  checkout_not_found: 'So ’n betaling bestaan nie.',
  ticket_not_found: 'So ’n kaartjie bestaan nie.',
  seat_held_by_another_user: '’n Ander klant of klerk hou hierdie sitplek.',
  seat_not_available: 'Hierdie sitplek is verkoop of geblokkeer.',
  block_at_capacity: 'Hierdie sone het nie soveel plekke oor nie.',
  orphan_rule: 'Hierdie keuse sou ’n enkele sitplek oorlaat.',
  no_adjacent_seats: 'Daar is nie soveel vry sitplekke langs mekaar nie.',
  no_available_seats: 'Daar is nie soveel vry sitplekke nie.',
  wheelchair_limit: 'Een bespreking kan nie soveel rolstoelplekke hê nie.',
  companion_reserved: 'Hierdie sitplek word gehou vir die metgesel van ’n rolstoelgebruiker.',
  hold_limit_reached: 'Een bespreking mag nie soveel sitplekke hê nie.',
  extension_limit_reached: 'Hierdie sitplekke kan nie langer gehou word nie.',
  hold_cannot_grow: 'Die bespreking het minder plekke as dit. Hou die ander daarby.',
  payment_in_progress: '’n Betaling vir hierdie sitplekke is aan die gang. Wag tot dit klaar is.',
  ticket_already_paid: 'Hierdie sitplekke is reeds betaal.',
  checkout_closed: 'Hierdie betaling is afgehandel.',
  policy_locked: 'Die platform het hierdie instelling gesluit. Jou operateur kan dit verander.',
  version_immutable:
    'Iemand anders het hierdie weergawe verander sedert jy dit oopgemaak het, of dit is nie meer ' +
    '’n konsep nie.',
  layout_in_use: 'Vertonings gebruik hierdie uitleg.',
  webhook_limit_reached: 'Jy het soveel webhake as wat toegelaat word. Verwyder eers een.',
  hold_expired: 'Die tyd van hierdie bespreking is verby.',
  body_too_large:
    'Hierdie lêer of lys is te groot: 32 MB vir ’n uitleg, 64 KB vir enigiets anders.',
  idempotency_key_reused: 'Dieselfde versoek is vroeër met ander inhoud gestuur. Probeer weer.',
  amount_mismatch: 'Die bedrag is nie dié van die betaling nie.',
  provider_mismatch: 'Die betaling is by ’n ander verskaffer begin.',
  rate_limited: 'Te veel versoeke in ’n kort tyd. Wag ’n oomblik en probeer weer.',
  internal: 'Die bediener het ’n fout gemaak. Probeer weer; as dit bly, sê vir jou operateur.',
  event_busy: 'Die vertoning is baie besig. Niks is verander nie; probeer weer.',
  outcome_unknown: 'Dit is nog nie bekend of dit gedoen is nie. Gaan na voor jy weer probeer.',
  overloaded: 'Die bediener is oorlaai. Niks is verander nie; probeer oor ’n oomblik weer.',
  unavailable: '’n Deel van die bediener is af. Probeer binnekort weer.',
  network: 'Die bediener kan nie bereik word nie. Kyk na die verbinding.',
  timeout:
    'Die bediener het nie betyds geantwoord nie. Gaan na of dit gedoen is voor jy weer probeer.',
  aborted: 'Dit is gestop.',
  unreadable:
    'Die antwoord kon nie gelees word nie. Probeer weer; as dit bly, sê vir jou operateur.',
};

const seats = (number: number) => (number === 1 ? '1 sitplek' : `${number} sitplekke`);

/** Reëls en perke van ’n bespreking, soos personeel dit lees. */
export const RULES_AF: RuleWords = {
  ruleChosen: 'By hierdie vertoning kies die stelsel die sitplekke.',
  ruleApart: 'By hierdie vertoning is die sitplekke van een bespreking langs mekaar.',
  ruleTable: (labels) =>
    `Hierdie tafel word in sy geheel verkoop. Sy ander vry sitplekke: ${labels}.`,
  rulePartOfTable: (number, labels) =>
    `Een bespreking kan nie hierdie hele tafel hê nie. Voeg nog ${number} van ${labels} by.`,
  ruleFamily: (labels) =>
    `Hierdie sitplekke is vir gesinne, minstens twee per bespreking. Voeg een van ${labels} by.`,
  tablesFor: (sizes) =>
    `Tafels word in hulle geheel verkoop, en is vry vir soveel mense: ${sizes}.`,
  familiesOnly: 'Die oorblywende sitplekke is vir gesinne: minstens twee per bespreking.',
  limitOfBooking: (most) => `’n Bespreking mag hoogstens ${seats(most)} hê.`,
  limitOfSpaces: (most) =>
    `’n Bespreking mag hoogstens ${most} ${most === 1 ? 'rolstoelplek' : 'rolstoelplekke'} hê.`,
  limitOfBuyer: (most) =>
    `Een klant mag hoogstens ${seats(most)} van hierdie vertoning op een slag hou.`,
  limitOfNetwork: 'Te veel sitplekke van hierdie vertoning word van een internetverbinding gehou.',
};
