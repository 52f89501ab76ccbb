/** As if no snapshot had been kept since the sale was opened. */
export const forgetSnapshots = (eventId: string): string =>
  `delete from board_snapshots where event_id = '${eventId}' and revision > 1`;
