import { Type } from 'typebox';
import { Id, Instant, Maybe, Name, NextVersions, Text } from './basics.ts';

const Slug = Type.String({ pattern: '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$' });
const Timezone = Text(64, { description: 'An IANA name such as Africa/Johannesburg' });
const Capacity = Type.Integer({ minimum: 1, maximum: 1_000_000 });
const VersionNumber = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });
const LayoutState = Type.Enum(['draft', 'active', 'archived']);

export const Venue = Type.Object({
  venue_id: Id,
  slug: Slug,
  name: Type.String(),
  timezone: Type.String(),
  address: Maybe(Type.String()),
  max_capacity: Maybe(Type.Integer()),
  created_at: Instant,
});

export const NewVenue = Type.Object(
  {
    slug: Slug,
    name: Name(200),
    timezone: Type.Optional(Timezone),
    address: Type.Optional(Maybe(Text(500))),
    max_capacity: Type.Optional(Maybe(Capacity)),
  },
  { additionalProperties: false },
);

export const VenueChange = Type.Object(
  {
    name: Type.Optional(Name(200)),
    timezone: Type.Optional(Timezone),
    address: Type.Optional(Maybe(Text(500))),
    max_capacity: Type.Optional(Maybe(Capacity)),
  },
  { additionalProperties: false, minProperties: 1 },
);

export const LayoutVersion = Type.Object({
  layout_id: Id,
  version: Type.Integer(),
  venue_id: Id,
  name: Type.String(),
  description: Maybe(Type.String()),
  status: LayoutState,
  seat_count: Type.Integer(),
  total_capacity: Type.Integer(),
  created_at: Instant,
  changed_at: Instant,
  activated_at: Maybe(Instant),
  archived_at: Maybe(Instant),
  revision: Type.Optional(
    Type.Integer({ description: 'Grows whenever the draft is written: see `if_revision`' }),
  ),
  changed_by: Type.Optional(
    Maybe({ ...Id, description: 'Null without `layouts:write`, and when it is not known' }),
  ),
  changed_by_name: Type.Optional(Maybe(Type.String())),
});

export const LayoutWithVersions = Type.Object({
  ...LayoutVersion.properties,
  versions: Type.Array(LayoutVersion, { description: 'The newest first, 1,000 at most' }),
  spec: Type.Optional(
    Maybe(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'What the generator drew this version from; null when it came as a config',
      }),
    ),
  ),
  next: Type.Optional({
    ...NextVersions,
    description: 'Older versions are in `GET /api/admin/layouts` with these; absent: that was all',
  }),
});

/** The body of a new draft, without its `config` or `spec`, which have rules of their own. */
export const LayoutWish = Type.Object(
  {
    layout_id: Type.Optional(Id),
    venue_id: Type.Optional(Id),
    name: Type.Optional(Name(200)),
    description: Type.Optional(Maybe(Type.String({ maxLength: 2_000 }))),
    if_version: Type.Optional(VersionNumber),
    if_revision: Type.Optional(VersionNumber),
    keep_draft: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

export const LayoutDocument = Type.Unsafe<string>({
  type: 'object',
  description: 'See the layout schema at /schemas/layout.json',
});

export const LayoutSize = Type.Object({
  valid: Type.Boolean(),
  seat_count: Type.Integer(),
  total_capacity: Type.Integer(),
});

export const LayoutSearch = Type.Object(
  {
    venue_id: Type.Optional(Id),
    status: Type.Optional(LayoutState),
    after: Type.Optional(Id),
    after_version: Type.Optional(VersionNumber),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
  },
  { additionalProperties: false },
);

export const VersionQuery = Type.Object(
  { version: Type.Optional(VersionNumber) },
  { additionalProperties: false },
);

export const VersionStep = Type.Object(
  { ...VersionQuery.properties, reason: Type.Optional(Text(500)) },
  { additionalProperties: false },
);

export const DiffQuery = Type.Object(
  { from: Type.Optional(VersionNumber), to: Type.Optional(VersionNumber) },
  { additionalProperties: false },
);

export const ImportQuery = Type.Object(
  {
    format: Type.Enum(['pretix']),
    venue_id: Type.Optional(Id),
    name: Type.Optional(Name(200)),
  },
  { additionalProperties: false },
);

/** Every change of a seat names the seat; the shape depends on the kind of change. */
export const LayoutDifference = Type.Object({
  from: Type.Integer(),
  to: Type.Integer(),
  diff: Type.Record(Type.String(), Type.Unknown()),
});

/** Which fields there are is a matter of the policy's own table; see the guide. */
export const Policy = Type.Record(Type.String(), Type.Unknown());
