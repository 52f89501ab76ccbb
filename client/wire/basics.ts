import { type TSchema, type TStringOptions, Type } from 'typebox';

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

/** Lists are paged by the last id of the page before. */
export const PageQuery = Type.Object(
  {
    after: Type.Optional(Id),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
  },
  { additionalProperties: false },
);
