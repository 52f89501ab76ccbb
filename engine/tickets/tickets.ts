/**
 * Tickets: what a buyer has in the end. It knows their codes, what a QR code says and how to read
 * them from the database; who sits where is the board's, and only the registry writes them.
 */
export { newTicketCode, readTicketCode } from './ticket-code.ts';
