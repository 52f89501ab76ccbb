import { createHash } from 'node:crypto';
import { type AuditRow, type ChainHead, hashAuditRow } from '#audit';
import type { ChangeRow } from '#board';
import { GENESIS, hashLogRow } from '#registry';

export const ARCHIVE_FORMAT = 1;

/** The first line: what it is about, and where log and trail ended when it was written. */
export type ArchiveHead = Readonly<{
  kind: 'archive';
  format: number;
  organization_id: string;
  event_id: string;
  event: unknown;
  revision: number;
  hash: string;
  audit_count: number;
  audit_hash: string;
}>;

export type ArchiveLine =
  | ArchiveHead
  | Readonly<{ kind: 'change' } & ChangeRow>
  | Readonly<{ kind: 'audit'; row: AuditRow; hash: string }>
  | Readonly<{ kind: 'record'; of: string; record: Record<string, unknown> }>
  | Readonly<{ kind: 'end'; lines: number; sha256: string }>;

export type ArchiveVerdict = Readonly<{
  ok: boolean;
  lines: number;
  changes: number;
  audit: number;
  records: number;
  head: ArchiveHead | null;
  /** The first line that is not as it was written, and what is wrong with it. */
  problem: string | null;
}>;

/**
 * Reads an archive and follows its chains: every row of the log and of the trail follows from the
 * one before it, both end where the first line says, and no line was changed, lost or added.
 */
export class ArchiveReader {
  readonly #digest = createHash('sha256');
  readonly #counts = { lines: 0, changes: 0, audit: 0, records: 0 };
  #head: ArchiveHead | null = null;
  #log: { revision: number; hash: string } | null = null;
  #audit: ChainHead = { count: 0, hash: Buffer.alloc(32) };
  #isEnded = false;
  #problem: string | null = null;

  add(text: string): void {
    if (this.#problem !== null) return;
    const line = parse(text);
    this.#problem = line ? this.#judge(line) : 'it is no line of an archive';
    if (this.#problem !== null) this.#problem = `line ${this.#counts.lines + 1}: ${this.#problem}`;
    this.#counts.lines++;
    this.#digest.update(text).update('\n');
  }

  verdict(): ArchiveVerdict {
    const problem = this.#problem ?? (this.#isEnded ? null : 'the last line is missing');
    return { ok: problem === null, ...this.#counts, head: this.#head, problem };
  }

  #judge(line: ArchiveLine): string | null {
    if (this.#isEnded) return 'nothing comes after the end';
    if (line.kind === 'archive') return this.#begin(line);
    if (!this.#head) return 'an archive begins with its head';
    switch (line.kind) {
      case 'change':
        return this.#follow(this.#head, line);
      case 'audit':
        return this.#followTrail(this.#head, line.row, line.hash);
      case 'record':
        this.#counts.records++;
        return null;
      case 'end':
        return this.#end(this.#head, line);
    }
  }

  #begin(head: ArchiveHead): string | null {
    if (this.#head) return 'there is one head';
    if (head.format !== ARCHIVE_FORMAT) return `format ${head.format} is not known`;
    this.#head = head;
    return null;
  }

  /** A log that was archived before begins somewhere: its first row is taken as it is. */
  #follow({ event_id }: ArchiveHead, line: ChangeRow & { kind: string }): string | null {
    const { kind: _, hash, changes, keyed, ...row } = line;
    const previous = this.#log ?? (row.revision === 1 ? { revision: 0, hash: GENESIS } : null);
    if (previous) {
      if (row.revision !== previous.revision + 1) return `revision ${row.revision} is out of order`;
      const text = JSON.stringify({ changes, keyed });
      if (hashLogRow(event_id, previous.hash, { ...row, text }) !== hash) {
        return `revision ${row.revision} does not follow from the one before it`;
      }
    }
    this.#log = { revision: row.revision, hash };
    this.#counts.changes++;
    return null;
  }

  #followTrail({ organization_id }: ArchiveHead, row: AuditRow, hash: string): string | null {
    const { count, hash: previous } = this.#audit;
    if (row.sequence !== count + 1) return `audit row ${row.sequence} is out of order`;
    const expected = hashAuditRow(organization_id, previous, row);
    if (expected.toString('hex') !== hash) return `audit row ${row.sequence} was altered`;
    this.#audit = { count: row.sequence, hash: expected };
    this.#counts.audit++;
    return null;
  }

  #end(head: ArchiveHead, end: { lines: number; sha256: string }): string | null {
    this.#isEnded = true;
    if (end.lines !== this.#counts.lines) return `${end.lines} lines were written`;
    if (end.sha256 !== this.#digest.copy().digest('hex')) return 'a line was changed';
    if (this.#log?.revision !== head.revision || this.#log.hash !== head.hash) {
      return `the log does not end at revision ${head.revision}`;
    }
    const { count, hash } = this.#audit;
    const isWhole = count === head.audit_count && hash.toString('hex') === head.audit_hash;
    return isWhole ? null : `the trail does not end at row ${head.audit_count}`;
  }
}

/** Numbers the lines and seals them with their digest. */
export class ArchiveWriter {
  readonly #digest = createHash('sha256');
  #lines = 0;

  get lines(): number {
    return this.#lines;
  }

  line(line: ArchiveLine): string {
    const text = `${JSON.stringify(line)}\n`;
    this.#digest.update(text);
    this.#lines++;
    return text;
  }

  end(): string {
    const sha256 = this.#digest.copy().digest('hex');
    return this.line({ kind: 'end', lines: this.#lines, sha256 });
  }
}

function parse(text: string): ArchiveLine | null {
  try {
    const line = JSON.parse(text) as ArchiveLine;
    return typeof line === 'object' && line !== null && 'kind' in line ? line : null;
  } catch {
    return null;
  }
}
