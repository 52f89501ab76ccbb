import { type TProperties, type TSchema, type TStringOptions, Type } from 'typebox';

export const Id = Type.String({ format: 'uuid' });
export const Instant = Type.String({ format: 'date-time' });

/** Something people write: not empty, and not longer than said. */
export function Text(maxLength: number, options: TStringOptions = {}) {
  return Type.String({ minLength: 1, maxLength, ...options });
}

/**
 * What something is called: nothing that nobody sees and nothing that turns the writing round.
 * Joiners stay, because some scripts and pictures need them.
 */
export const NAME_PATTERN = '^(?:[^\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]|[\\u200c\\u200d])+$';

export function Name(maxLength: number) {
  return Text(maxLength, { pattern: NAME_PATTERN });
}

export function Maybe<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** Every success is wrapped the same way. */
export function Data<Schema extends TSchema>(schema: Schema) {
  return Type.Object({ data: schema });
}

export const IdParams = Type.Object({ id: Id });

/** Why something is taken away or given up; kept in the audit trail. */
export const ReasonQuery = Type.Object(
  { reason: Type.Optional(Text(500)) },
  { additionalProperties: false },
);

/** How a list goes on: always under `next`, by the parameters that its route has. */
function Next<const Fields extends TProperties>(fields: Fields) {
  return Type.Object(fields, {
    description: 'Ask again with these and the same filters for more; absent: that was all',
  });
}

export const NextAfter = Next({ after: Id });
export const NextBefore = Next({ before: Id });
/** Before a row that has a number. */
export const NextRows = Next({ before: Type.Integer() });
export const NextRevisions = Next({ after: Type.Integer() });
export const NextVersions = Next({ after: Id, after_version: Type.Integer() });
export const NextSlugs = Next({ after: Type.String() });
export const NextTimes = Next({ from: Instant });
export const NextDue = Next({ due_after: Type.String() });

/** One page of a list. */
export function Page<Row extends TSchema, After extends TSchema>(row: Row, next: After) {
  return Type.Object({ data: Type.Array(row), next: Type.Optional(next) });
}

/** Lists are paged by the last id of the page before. */
export const PageQuery = Type.Object(
  {
    after: Type.Optional(Id),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
  },
  { additionalProperties: false },
);
