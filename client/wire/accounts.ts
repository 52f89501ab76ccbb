import { Type } from 'typebox';
import { Id, Instant, Maybe, Text } from './basics.ts';

export const ROLE_NAMES = ['owner', 'admin', 'staff', 'viewer', 'scanner', 'customer'] as const;

const RoleName = Type.Enum([...ROLE_NAMES], { description: 'From the most to the least' });
const OrganizationState = Type.Enum(['active', 'suspended', 'archived']);
const MembershipState = Type.Enum(['active', 'revoked', 'expired']);
const Tier = Type.String({ pattern: '^[a-z0-9_]{1,64}$', description: 'e.g. voelgoed_vriendinne' });
const Slug = Type.String({ pattern: '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$' });
const Email = Type.String({ format: 'email', maxLength: 254 });
const Subject = Text(255, { description: 'The `sub` of the tokens this person comes with' });

export const Organization = Type.Object({
  organization_id: Id,
  slug: Slug,
  name: Text(200),
  status: OrganizationState,
  currency: Type.String(),
  timezone: Type.String(),
  created_at: Instant,
});

export const OrganizationInList = Type.Object({
  organization_id: Id,
  slug: Slug,
  status: OrganizationState,
});

export const NewOrganization = Type.Object(
  {
    slug: Slug,
    name: Text(200),
    owner: Type.Object(
      { email: Email, subject: Type.Optional(Subject) },
      { additionalProperties: false, description: 'Without a subject, the email is the subject' },
    ),
  },
  { additionalProperties: false },
);

export const CreatedOrganization = Type.Object({
  organization: Organization,
  owner_user_id: Maybe(Id),
  key: Maybe(Type.String({ description: 'The first API key, shown this once' })),
});

export const Me = Type.Object({
  organization: Organization,
  kind: Type.Enum(['user', 'key']),
  id: Id,
  name: Type.Optional(
    Maybe(Type.String({ description: 'What the audit log calls you; null: you have no name' })),
  ),
  role: RoleName,
  scopes: Type.Array(Type.String(), { description: 'What the credential is good for' }),
});

export const Member = Type.Object({
  user_id: Id,
  email: Maybe(Type.String()),
  name: Maybe(Type.String()),
  role: RoleName,
  tier: Maybe(Type.String()),
  status: MembershipState,
  valid_until: Maybe(Instant),
  created_at: Instant,
});

export const NewMember = Type.Object(
  {
    subject: Subject,
    email: Type.Optional(Email),
    name: Type.Optional(Text(200)),
    role: RoleName,
    tier: Type.Optional(Maybe(Tier)),
    valid_until: Type.Optional(Maybe(Instant)),
  },
  { additionalProperties: false },
);

export const MemberChange = Type.Object(
  {
    role: Type.Optional(RoleName),
    tier: Type.Optional(Maybe(Tier)),
    status: Type.Optional(MembershipState),
    valid_until: Type.Optional(Maybe(Instant)),
  },
  { additionalProperties: false, minProperties: 1 },
);

export const ApiKey = Type.Object({
  key_id: Id,
  name: Text(200),
  scopes: Type.Array(Type.String()),
  created_at: Instant,
  expires_at: Maybe(Instant),
  revoked_at: Maybe(Instant),
  last_used_at: Maybe(Instant),
  replaces: Maybe(Id),
});

export const ApiKeyWithText = Type.Object({
  ...ApiKey.properties,
  key: Maybe(Type.String({ description: 'Shown this once; null when an answer is repeated' })),
});

export const NewApiKey = Type.Object(
  {
    name: Text(200),
    scopes: Type.Array(Type.String(), { minItems: 1, maxItems: 100, uniqueItems: true }),
    expires_in_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_650 })),
  },
  { additionalProperties: false },
);

export const KeyRotation = Type.Object(
  {
    overlap_hours: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 720, description: 'How long the old key lives on' }),
    ),
  },
  { additionalProperties: false },
);

export const Issuer = Type.Object({
  issuer_id: Id,
  issuer: Type.String(),
  jwks_uri: Type.String(),
  audience: Type.String(),
  algorithms: Type.Array(Type.String()),
  created_at: Instant,
});

export const NewIssuer = Type.Object(
  {
    issuer: Text(255),
    jwks_uri: Type.String({ format: 'uri', maxLength: 2_048 }),
    audience: Text(255),
    algorithms: Type.Array(Type.Enum(['RS256', 'PS256', 'ES256', 'EdDSA']), {
      minItems: 1,
      maxItems: 4,
      uniqueItems: true,
    }),
  },
  { additionalProperties: false },
);

export const DemoSessionWish = Type.Object(
  {
    role: Type.Optional(RoleName),
    user: Type.Optional(Text(200, { description: 'The same text is the same user' })),
  },
  { additionalProperties: false },
);

export const Session = Type.Object({
  token: Type.String(),
  user_id: Id,
  organization_id: Id,
  expires_at: Instant,
});
