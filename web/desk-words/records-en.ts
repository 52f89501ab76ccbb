const count = (number: number) => number.toLocaleString('en-ZA');

/** What registry, audit trail and refunds say. */
export const RECORDS_EN = {
  registry: 'Registry',
  registryLead:
    'Who holds what is in Postgres; memory and Redis repeat it. Here you see whether all of ' +
    'them say the same.',
  event: 'Event',
  memory: 'Memory',
  redis: 'Redis',
  postgres: 'Postgres',
  holdCount: (number: number) => (number === 1 ? '1 hold' : `${count(number)} holds`),
  digest: 'Digest',
  noRedis: 'not in use',
  state: 'State',
  states: {
    ok: 'The same',
    stale: 'Different',
    filling: 'Redis is being filled',
    redis_unavailable: 'Redis cannot be reached',
    not_on_sale: 'Not on sale',
  },
  checkAll: 'Check again',
  reconcileAll: 'Reconcile all',
  reconcile: 'Reconcile',
  reconcileOf: (event: string) => `Reconcile ${event}`,
  reconcileHow: (what: string) =>
    `Memory and Redis are made to say what Postgres says, for ${what}. No hold, ticket or seat ` +
    'changes in Postgres.',
  allEvents: 'all events on sale',
  reconciled: (events: number, holds: number, written: number, removed: number) =>
    `${count(events)} looked at, ${count(holds)} holds: ${count(written)} entries written, ` +
    `${count(removed)} removed.`,
  notReconciled: (events: number) =>
    events === 1
      ? '1 event could not be reconciled; look again.'
      : `${count(events)} events could not be reconciled; look again.`,
  reloaded: (boards: number) =>
    boards === 1 ? '1 event loaded anew.' : `${count(boards)} events loaded anew.`,
  nothingToReconcile: 'No event is on sale, and so there is nothing to reconcile.',
  differs: (tier: string, what: string, number: number) =>
    number === 1 ? `${tier}: ${what}` : `${tier}: ${what} (${count(number)})`,
  parts: {
    holds: 'holds',
    seats: 'seats',
    board: 'numbers or checkouts',
    revision: 'revision',
    bitmap: 'seats for readers',
    occupancy: 'occupancy',
  },
  audit: 'Audit trail',
  auditLead: 'What was done, by whom and when. Every row is bound to all rows before it.',
  trail: 'Trail',
  ofOrganization: 'The organization',
  action: 'What was done',
  seat: 'Seat',
  seatHow: 'A seat by its label, as it is on the ticket.',
  seatNeeds: 'To look for a seat, choose its event first.',
  customer: 'Customer (id or e-mail)',
  customerNeeds: 'Choose an event to see what happened to holds and tickets.',
  order: 'Order (checkout id)',
  whom: 'Customer',
  misses: {
    seat_not_found: 'The event has no such seat.',
    checkout_not_found: 'There is no such order.',
    not_found: 'No customer has this address of e-mail.',
  },
  badPerson: 'That is neither an id nor an address of e-mail.',
  refusals: 'Refusals',
  refusalsLead:
    'Requests for seats that were refused in the last 30 days, and why. When there are too many, ' +
    'they are counted instead of listed.',
  code: 'Code',
  times: 'Times',
  places: 'Seats and zones',
  addressHash: 'Address (hash)',
  several: 'several',
  noRefusals: 'Nothing was refused so.',
  noRefusalsYet: 'Nothing found yet among the newest refusals. There are older ones.',
  fromIn: (place: string) => `From (${place})`,
  toIn: (place: string) => `Until (${place})`,
  find: 'Find',
  clear: 'Clear',
  badId: 'That is not an id: eight, four, four, four and twelve characters.',
  when: 'When',
  who: 'Who',
  address: 'Address',
  agent: 'Program',
  older: 'Older',
  noRows: 'No row of this trail is so.',
  verify: 'Verify the trail',
  verifyHow:
    'Every row is worked out again from the first one. A row that was altered, taken out or ' +
    'put in is named.',
  verified: (rows: number) => `All ${count(rows)} rows are as they were written.`,
  verifiedPart: (rows: number) =>
    `Stopped. The first ${count(rows)} rows are as they were written.`,
  problems: {
    altered: (row: number) => `Row ${count(row)} was altered.`,
    missing: (row: number) => `Row ${count(row)} is missing.`,
    unexpected: (row: number) => `Row ${count(row)} does not belong there.`,
  },
  badHow: 'Somebody changed the database past the program. Restore it, and ask who can reach it.',
  showRow: 'Show that row',
  head: 'Signed end of the trail',
  headHow:
    'Keep this elsewhere: a trail that was rewritten later does not fit it. The signature is ' +
    'Ed25519 over the JSON array of the fields.',
  headAsk: 'Sign the end',
  headRows: 'Rows',
  headHash: 'Hash',
  signature: 'Signature',
  publicKey: 'Public key',
  download: 'Download',
  export: 'Download the sale’s log',
  exportHow: 'Every change to a seat with its hash, one JSON object per line.',
  refunds: 'Refunds',
  refundsLead: 'Money that is to be given back, or was. Paying it back is done at the bank.',
  status: 'Status',
  statuses: { due: 'To be paid back', refunded: 'Paid back' },
  amount: 'Amount',
  reason: 'Reason',
  reasons: {
    seats_gone: 'Paid when the seats were gone',
    paid_twice: 'Paid twice',
    amount_mismatch: 'Wrong amount',
    checkout_cancelled: 'Checkout cancelled',
    event_cancelled: 'Event cancelled',
    ticket_refunded: 'Ticket refunded',
  } as Record<string, string>,
  checkout: 'Checkout',
  since: 'Since',
  paidBack: 'Paid back on',
  dueSum: (sum: string) => `${sum} to be paid back`,
  noneOnSale: 'No event is on sale, so there is nothing to compare.',
  noRefunds: 'There is nothing to pay back.',
};
