import type { Point } from '#geometry';
import { LAYOUT_LIMITS, type LayoutProblems, LayoutReader } from '#layouts';
import { ACCESS_MODES, type AccessMode, ZONE_TYPES, type ZoneType } from '#policies';
import { type Place, placeAt } from '#reading';

export function anyFields(input: unknown, place: Place, problems: LayoutProblems): LayoutReader {
  return new LayoutReader(input, place, { fields: 'any', problems });
}

/** The object in a field; an absent one says nothing and has nothing wrong. */
export function partOf(reader: LayoutReader, field: string): LayoutReader {
  const part = reader.value(field, 'optional') ?? {};
  return anyFields(part, placeAt(reader.path(field)), reader.problems);
}

/** What is said to us in particular, on whatever object of the plan. */
export function extensionOf(reader: LayoutReader): LayoutReader {
  return partOf(reader, 'voelgoed');
}

/** Texts of others are mended rather than refused: no control characters, no blanks around. */
export function mended(text: string | undefined): string {
  return (text ?? '')
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]+/gu, '')
    .trim();
}

const FAR = { least: -1e9, most: 1e9 };

/** Cut to a length without leaving half of a character or a blank at the end. */
export function shortened(text: string, most: number): string {
  return text
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
}

/** Positions of zones, rows and seats are relative to what they are in; none is 0, 0. */
export function readPosition(reader: LayoutReader, from: Point = { x: 0, y: 0 }): Point {
  if (!reader.has('position')) return from;
  const own = partOf(reader, 'position');
  const x = own.number('x', FAR, 'required') ?? 0;
  const y = own.number('y', FAR, 'required') ?? 0;
  return { x: from.x + x, y: from.y + y };
}

/** How a zone or area is sold, which the plan itself has no words for. */
export type ZoneExtension = {
  zone_type: ZoneType | undefined;
  capacity: number | undefined;
  access_mode: AccessMode | undefined;
  membership_tier: string | undefined;
  allowed_roles: readonly string[] | undefined;
};

/** What a zone or area may say about selling it. */
export function readExtension(reader: LayoutReader): ZoneExtension {
  const roles = reader.list('allowed_roles', { least: 0, most: LAYOUT_LIMITS.roles }, 'optional');
  if (roles?.some((role) => typeof role !== 'string')) {
    reader.refuse('allowed_roles', 'wrong_type', 'Roles must be texts.');
  }
  return {
    zone_type: reader.choice('zone_type', ZONE_TYPES, 'optional'),
    capacity: reader.integer('capacity', { least: 1, most: LAYOUT_LIMITS.capacity }, 'optional'),
    access_mode: reader.choice('access_mode', ACCESS_MODES, 'optional'),
    membership_tier: reader.anyText('membership_tier'),
    allowed_roles: roles?.filter((role) => typeof role === 'string'),
  };
}
