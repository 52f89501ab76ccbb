/** As much of JSON Schema as the routes use. */
export type Schema = Readonly<{
  type?: string;
  format?: string;
  pattern?: string;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}>;

export type Parameter = Readonly<{
  in: string;
  name: string;
  required?: boolean;
  schema: Schema;
}>;

/** One route as the OpenAPI file has it. */
export type Operation = Readonly<{
  /** `POST /api/events/{event_id}/holds`. */
  name: string;
  method: string;
  path: string;
  parameters: readonly Parameter[];
  body: Schema | null;
  /** Codes by status that the route says it may refuse with; a success has none. */
  replies: ReadonlyMap<number, readonly string[]>;
}>;

type Described = Readonly<{
  parameters?: readonly Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { description: string }>;
}>;

export type OpenApi = Readonly<{ paths: Record<string, Record<string, Described>> }>;

export function operationsOf({ paths }: OpenApi): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([lower, described]) => {
      const method = lower.toUpperCase();
      const { parameters = [], requestBody, responses } = described;
      return {
        name: `${method} ${path}`,
        method,
        path,
        parameters,
        body: requestBody?.content['application/json']?.schema ?? null,
        replies: new Map(
          Object.entries(responses).map(([status, { description }]) => [
            Number(status),
            Number(status) < 400 ? [] : description.split(', '),
          ]),
        ),
      };
    }),
  );
}

/** What an `{id}` stands for, by the part of the path before it. */
const ID_OF: Readonly<Record<string, string>> = {
  members: 'user_id',
  users: 'user_id',
  'api-keys': 'key_id',
  issuers: 'issuer_id',
  organizations: 'organization_id',
  venues: 'venue_id',
  layouts: 'layout_id',
  events: 'event_id',
  tickets: 'ticket_id',
  checkouts: 'checkout_id',
  webhooks: 'webhook_id',
};

/** The kind of thing that a parameter of a path names. A new kind has to be said here. */
export function kindOf(path: string, parameter: string): string {
  if (parameter !== 'id') return parameter;
  const before = /([^/]+)\/\{id\}/.exec(path)?.[1] ?? '';
  const kind = ID_OF[before];
  if (kind === undefined) throw new Error(`what {id} means in ${path} is not known`);
  return kind;
}
