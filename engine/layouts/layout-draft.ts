import type { AccessMode, SeatCategory, ZoneType } from '#policies';
import { fieldPath, type Place } from '#reading';
import type { GroupType } from './layout-config.ts';

/**
 * A config as far as it could be read: what was wrong is undefined here and already reported, so
 * that the rules which compare seats, zones and groups can still judge everything else.
 */
export type LayoutDraft = {
  seat_size: number;
  zones: ZoneDraft[];
  seats: SeatDraft[];
  groups: GroupDraft[];
  /**
   * False when a zone could not be read or there were too many seats: then their number is unknown,
   * and so is what points to a seat that was not read.
   */
  complete: boolean;
};

export type ZoneDraft = {
  path: string;
  zone_id: string | undefined;
  name: string | undefined;
  zone_type: ZoneType | undefined;
  capacity: number | undefined;
  access_mode: AccessMode | undefined;
  role_count: number;
  seat_count: number;
  /** Did the config say anything for this field, be it wrong? */
  says: (field: string) => boolean;
};

export type GroupDraft = {
  path: string;
  group_id: string | undefined;
  group_type: GroupType | undefined;
  zone: string | undefined;
  seat_labels: readonly (string | undefined)[];
};

/** One of up to 100,000: it keeps its place as numbers and only says it when asked. */
export class SeatDraft implements Place {
  readonly zone: number;
  /** Index of the nested row, or -1 in the flat form. */
  readonly nested: number;
  readonly index: number;
  seat_id: string | undefined = undefined;
  label: string | undefined = undefined;
  section = '';
  row: string | undefined = undefined;
  number: number | undefined = undefined;
  category: SeatCategory | undefined = undefined;
  order: number | undefined = undefined;
  gap_after = false;
  ring = false;
  companion_of: string | undefined = undefined;
  x = Number.NaN;
  y = Number.NaN;

  constructor(zone: number, nested: number, index: number) {
    this.zone = zone;
    this.nested = nested;
    this.index = index;
  }

  path(field?: string): string {
    const row = this.nested < 0 ? '' : `.rows[${this.nested}]`;
    const own = `zones[${this.zone}]${row}.seats[${this.index}]`;
    return field === undefined ? own : fieldPath(own, field);
  }
}
