const count = (number: number) => number.toLocaleString('en-ZA');

/** What stands on printed tickets, and on the buttons that print them. */
export const PAPER_EN = {
  print: (number: number) => (number === 1 ? 'Print the ticket' : `Print ${count(number)} tickets`),
  printThis: 'Print this ticket',
  printSale: (number: number) => `Print all ${count(number)} tickets of this sale`,
  when: 'Begins',
  /** Times on paper always say where. */
  timeIn: (zone: string) => `${zone} time`,
  venue: 'Venue',
  area: 'Area',
  block: 'Block',
  row: 'Row',
  seat: 'Seat',
  ticket: 'Ticket',
  price: 'Price',
  buyer: 'Name',
  sale: 'Sale',
};
