const count = (number: number) => number.toLocaleString('en-ZA');
const seats = (number: number) => (number === 1 ? '1 seat' : `${count(number)} seats`);

/** What is out of the sale and why, and how the map of staff is read. */
export const BLOCKS_EN = {
  title: 'Blocked seats',
  none: 'No seat is blocked.',
  planned: 'Closed since the event was planned',
  plannedOrLongAgo: 'Closed since the event was planned, or long ago',
  noReason: 'Without a reason',
  by: (name: string, time: string) => `${name}, ${time}`,
  bySystem: 'the system',
  quantity: seats,
  needSeats: (number: number) =>
    number === 1 ? '1 ticket needs another seat' : `${count(number)} tickets need another seat`,
  show: 'Show on the map',
  unblock: 'Unblock',
  unblockOf: (reason: string) => `Unblock: ${reason}`,
  showOf: (reason: string) => `Show on the map: ${reason}`,
  andMore: (number: number) => `and ${count(number)} more`,
  legend: 'What the map shows',
  free: 'free',
  held: 'held',
  sold: 'sold',
  blocked: 'blocked',
  reseat: 'needs another seat',
  kept: 'kept for a companion',
};
