import { createHash } from 'node:crypto';
import { type ChangeRow, formatOf, KNOWN_FORMATS } from '#board';
import { OperatingError } from '#kit';

/** The hash before the first row. */
export const GENESIS = '0'.repeat(64);

/** A row as it is stored: what happened as text, which is hashed byte for byte. */
export type StoredRow = Readonly<{
  revision: number;
  flush_id: string;
  at_ms: number;
  format: number;
  text: string;
  hash: string;
}>;

type Unsealed = Omit<ChangeRow, 'hash' | 'format'>;

/** Binds a row to its event and to all rows before it. */
export function sealRow(
  eventId: string,
  previous: string,
  unsealed: Unsealed,
): { row: ChangeRow; text: string } {
  const { changes, keyed } = unsealed;
  const text = JSON.stringify({ changes, keyed });
  const format = formatOf(changes);
  const hash = hashRow(eventId, previous, { ...unsealed, format, text });
  return { row: { ...unsealed, format, hash }, text };
}

export function hashRow(
  eventId: string,
  previous: string,
  { revision, flush_id, at_ms, format, text }: Omit<StoredRow, 'hash'>,
): string {
  const head = JSON.stringify([previous, eventId, revision, flush_id, at_ms, format]);
  return createHash('sha256').update(head).update(text).digest('hex');
}

/** A row of another version of this software cannot be followed, only waited out. */
export class UnknownFormat extends OperatingError {
  constructor(format: number) {
    const message = `the log has format ${format}, which this version does not know`;
    super('unavailable', message, { retryable: false });
  }
}

export function readRow({ text, ...row }: StoredRow): ChangeRow {
  if (!KNOWN_FORMATS.includes(row.format)) throw new UnknownFormat(row.format);
  const { changes, keyed } = JSON.parse(text) as Pick<ChangeRow, 'changes' | 'keyed'>;
  return { ...row, changes, keyed };
}
