/**
 * Tickets: what a buyer has in the end, and how it opens a door. It knows their codes, what a QR
 * code says, who may come in on which day and how to read all that from the database. Who sits
 * where is the board's, and only the registry writes tickets; entries are written from here.
 */
export * from './entries.sql.ts';
export {
  accessibilityOf,
  DENIALS,
  type Denial,
  type Direction,
  daysSentence,
  isPassedTest,
  judgeDay,
  judgeTicket,
  validUntil_ms,
} from './entry-rules.ts';
export * from './search.sql.ts';
export { newTicketCode, readCodePiece, readTicketCode } from './ticket-code.ts';
export { looksLikeQr, TicketSigner } from './ticket-qr.ts';
export * from './tickets.sql.ts';
