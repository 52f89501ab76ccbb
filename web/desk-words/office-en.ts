const count = (number: number) => number.toLocaleString('en-ZA');
const seats = (number: number) => (number === 1 ? '1 seat' : `${count(number)} seats`);

const holds = (number: number) => (number === 1 ? '1 hold' : `${count(number)} holds`);
const were = (held: string) => (held === '1 hold' ? 'was' : 'were');

/** What the box office says. */
export const OFFICE_EN = {
  title: 'Box office',
  map: 'Map',
  list: 'List',
  tools: 'What dragging on the map does',
  toolPoint: 'Move the map',
  toolLasso: 'Lasso',
  toolMove: 'Reseat',
  toolLassoHow: 'Draw around seats. Shift adds to what is chosen, Escape gives up.',
  toolMoveHow: 'Drag a sold seat onto a free one.',
  find: 'Find',
  findHow: 'Code, name or seat',
  findKey: 'The key / brings you here',
  findCut: 'There are more: say more of the name or the code.',
  toFind: 'Skip to Find',
  keys: 'Keys',
  keysOn: 'Keys without Ctrl work here',
  findNothing: 'Nothing was found.',
  foundSeats: 'Seats',
  foundTickets: 'Tickets',
  foundPeople: 'People',
  foundHolds: (number: number) => `Holds ${seats(number)}`,
  selection: 'Chosen seats',
  selectionNone: 'Choose seats on the map, in the list, or with the lasso.',
  selected: (number: number) => `${seats(number)} chosen`,
  clear: 'Choose none',
  free: 'free',
  held: 'held',
  sold: 'sold',
  closed: 'closed',
  kept: 'for a companion',
  wholeRow: (row: string) => `Row ${row}`,
  chooseRow: (row: string) => `Choose the whole row ${row}`,
  chooseSection: 'Choose the whole block',
  chooseZone: 'Choose the whole area',
  listHelp:
    'Arrow keys go from seat to seat, Enter or Space chooses. A row has a button of its own.',
  area: 'Area',
  block: 'Block',
  moreRows: 'Show more rows',
  gridOf: (zone: string) => `Seats in ${zone}`,
  doHold: (number: number) => `Hold ${seats(number)} for a caller`,
  doSell: (number: number) => `Sell ${seats(number)}`,
  doBlock: (number: number) => `Block ${seats(number)}`,
  doUnblock: (number: number) => `Unblock ${seats(number)}`,
  doRelease: (number: number) => `Release ${seats(number)}`,
  why: 'About this seat',
  whyFree: 'Free, and on sale.',
  whyHeld: (name: string) => `Held by ${name}.`,
  whySold: (name: string) => `Sold to ${name}.`,
  whyBlocked: (name: string) => `Blocked by ${name}.`,
  whyLayout: 'Closed since the event was planned: the layout or the event’s plan says so.',
  whyCompanion: (label: string) =>
    `Kept for the companion at wheelchair space ${label} until the zone is nearly full. The ` +
    'box office can sell it.',
  somebody: (id: string) => `customer ${id}`,
  member: (role: string, id: string) => `${role} ${id}`,
  until: 'Time left',
  from: 'From',
  sources: {
    web: 'the shop',
    scanner: 'a scanner',
    offline_sync: 'an offline device',
    box_office: 'the box office',
  },
  since: 'Since',
  code: 'Ticket',
  price: 'Price',
  ticketStatuses: { active: 'Good', voided: 'Void', refunded: 'Refunded' },
  cameIn: (number: number) => (number === 1 ? 'Came in once' : `Came in ${number} times`),
  needsSeat: 'Its seat was blocked: this ticket needs another one.',
  reseat: 'Give another seat',
  voidTicket: 'Void',
  refundTicket: 'Refund',
  moving: (code: string, label: string) => `Ticket ${code} in ${label}: choose its new seat.`,
  movingStop: 'Leave it there',
  holdTitle: (number: number) => `Hold ${seats(number)}`,
  placesTitle: (number: number, zone: string) =>
    number === 1 ? `1 place in ${zone}` : `${count(number)} places in ${zone}`,
  caller: 'Name of the caller',
  callerHow: 'Each time it is a person of their own, also with the same name.',
  callerNeeded: 'Please give a name.',
  minutes: 'Minutes',
  hold: 'Hold',
  heldFor: (name: string, number: number) =>
    number === 1 ? `1 place is held for ${name}.` : `${count(number)} places are held for ${name}.`,
  sellTitle: 'Sell at the door',
  buyer: 'Name (may be left empty)',
  walkIn: 'Walk-in',
  method: 'Paid by',
  methods: { cash: 'Cash', card: 'Card', complimentary: 'Complimentary' },
  total: 'Total',
  sellHow: 'No money is moved here: take it while the seats are held, then press the button.',
  saleHeld: 'Held for this sale, time left:',
  saleOver:
    'The seats are not held for this sale any more: their time is over, or they were sold or ' +
    'released. Take no money before they are held again.',
  holdAgain: 'Hold them again',
  saleFor: (name: string) => `Held for ${name}, who gets the tickets.`,
  saleLeft: 'The sale was not finished',
  cartTitle: (name: string) => `Take payment for the cart of ${name}`,
  cartWill: (name: string, source: string) =>
    `Held by ${name} in ${source}. The tickets go to ${name}. To sell to another person, ` +
    'release it first.',
  cartHeld: 'In the cart, time left:',
  cartOver: 'This is not in the cart any more: its time is over, or it was sold or released.',
  takePayment: 'Take payment',
  longer: 'Longer',
  lengthenTitle: (name: string) => `More time for ${name}`,
  lengthenHow: 'At most an hour from now. Nothing gets shorter.',
  minutesFromNow: 'Minutes from now',
  lengthened: (name: string, number: number, not: number) =>
    `${name}: ${holds(number)} ${number === 1 ? 'has' : 'have'} more time.` +
    `${not > 0 ? ` ${holds(not)} ${not === 1 ? 'has' : 'have'} not: sold, over or busy.` : ''}`,
  callerNotes: 'Telephone or note, for staff only',
  holds,
  sell: 'Sell',
  soldTitle: (number: number) => (number === 1 ? '1 ticket sold' : `${count(number)} tickets sold`),
  receipt: 'Receipt',
  done: 'Done',
  tooMany: (number: number) => `At most ${count(number)} places are sold at once.`,
  blockTitle: (number: number) => `Block ${seats(number)}`,
  blockWill: (number: number, holds: number, tickets: number) =>
    `${seats(number)} will go out of the sale. ` +
    `${holds > 0 ? `${seats(holds)} in carts will be taken from their holders. ` : ''}` +
    `${tickets === 1 ? '1 ticket stays valid and needs another seat.' : ''}` +
    `${tickets > 1 ? `${count(tickets)} tickets stay valid and need another seat.` : ''}`,
  blockReasons: ['Camera position', 'Broken seat', 'Restricted view', 'Kept by the organiser'],
  unblockTitle: (number: number) => `Unblock ${seats(number)}`,
  unblockWill: (number: number): string =>
    number === 1
      ? 'At once: without a ticket it is on sale again; with one it is that ticket’s seat again.'
      : 'At once: seats without a ticket are on sale again; the others are their tickets’ again.',
  unblockReasons: ['Not needed any more', 'Repaired'],
  releaseTitle: (number: number) => `Release ${seats(number)}`,
  releaseWill: (number: number) =>
    `${seats(number)} will be taken from whoever holds them now, and be on sale again at once.`,
  releaseAllWill: (name: string, number: number) =>
    `Everything that ${name} holds here, ${seats(number)}, will be on sale again at once.`,
  releaseReasons: ['The caller cancelled', 'Nobody came', 'Held by mistake'],
  release: 'Release',
  releaseAll: 'Release all',
  forced: 'Also while a payment is under way',
  released: (number: number) =>
    number === 1 ? '1 seat was released.' : `${seats(number)} were released.`,
  releasedNothing: 'Nothing was held any more.',
  notReleased: {
    payment_in_progress: (held: string) =>
      `${held} ${were(held)} not released, because a payment is under way. Wait until it has ` +
      'ended, or release with “Also while a payment is under way”: money that comes in after ' +
      'that is owed to the buyer.',
    ticket_already_paid: (held: string) =>
      `${held} ${were(held)} not released: they are tickets by now.`,
    not_active: (held: string) => `${held} had ended before.`,
    hold_not_found: (held: string) => `${held} ${were(held)} not found.`,
    event_busy: (held: string) =>
      `${held} ${were(held)} not released, because the event was busy. Please press again.`,
    outcome_unknown: (held: string) =>
      `Whether ${held} ended is not known. Please press again: nothing is done twice.`,
  },
  notReleasedElse: (held: string) =>
    `${held} ${were(held)} not released, because the server could not do it now. Please press ` +
    'again.',
  moveTitle: (code: string) => `Ticket ${code} gets another seat`,
  moveWill: (from: string, to: string, isBlocked: boolean) =>
    `It moves from ${from} to ${to}. Its code and its QR code stay good; ` +
    `${from} ${isBlocked ? 'stays blocked' : 'is on sale again'}.`,
  moveReasons: ['The seat is broken', 'The customer asked', 'A family sits together'],
  move: 'Move it',
  moveOnlyFree: (label: string) => `${label} is not free.`,
  moveNoTicket: 'This seat has no ticket.',
  voidTitle: (code: string) => `Void ticket ${code}`,
  voidWill: (label: string) => `It opens no door any more and nothing is paid back. (${label})`,
  refundTitle: (code: string) => `Refund ticket ${code}`,
  refundWill: (label: string, price: string) =>
    `It opens no door any more, and ${price} is owed to the buyer. (${label})`,
  endReasons: ['The customer asked', 'Sold by mistake', 'Charged back'],
  keepOut: 'Keep the seat out of the sale',
  stopped: (done: number, total: number) =>
    `Stopped: ${count(done)} of ${count(total)} are done and stay so. Go on by pressing again.`,
  blocked: (number: number, before: number) =>
    `${seats(number)} ${number === 1 ? 'is' : 'are'} blocked.` +
    `${before > 0 ? ` ${seats(before)} had been blocked before.` : ''}`,
  unblocked: (number: number, before: number) =>
    `${seats(number)} ${number === 1 ? 'is' : 'are'} not blocked any more.` +
    `${before > 0 ? ` ${seats(before)} had not been blocked.` : ''}`,
  inTheWay: (labels: string) => `In the way: ${labels}.`,
  leaveOut: 'Leave these out',
  areas: 'Areas without seats',
  areaLeft: (number: number) => `${count(number)} left`,
  howMany: 'How many',
  holdPlaces: 'Hold',
  sellPlaces: 'Sell',
  heldNow: 'Held now',
  heldNobody: 'Nobody holds anything.',
  heldNoMatch: 'None of them is called so or holds such a seat.',
  holder: 'Who',
  where: 'Where',
  chooseThese: 'Choose these',
  filterHeld: 'Filter by name or seat',
  andMore: (number: number) => `and ${count(number)} more`,
};
