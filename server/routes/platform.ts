import {
  ApiKeyWithText,
  CreatedOrganization,
  Data,
  IdParams,
  NewOrganization,
  NextSlugs,
  Organization,
  OrganizationInList,
  Page,
} from '@voelgoed/client/wire';
import { NIL_ID } from '@voelgoed/engine/kit';
import { scopeOf } from '@voelgoed/engine/scope';
import {
  changeOrganizationStatus,
  createOrganization,
  issueOwnerKey,
  listOrganizations,
  readOrganization,
} from '@voelgoed/engine/workflows';
import { Type } from 'typebox';
import { answerDone, type Http, platformCaller, refuse, replies, WITH_CREDENTIAL } from '#http';
import type { RouteContext } from './context.ts';
import { oneMore, pageOf } from './pages.ts';

const TAGS = { tags: ['platform'], ...WITH_CREDENTIAL };
const PLATFORM = { access: { kind: 'platform' } } as const;
const NOWHERE = scopeOf(NIL_ID);
const MISSING = 'There is no such organization.';
const CODES = ['invalid_request', 'unauthorized', 'idempotency_key_reused'] as const;

const SlugPage = Type.Object(
  {
    after: Type.Optional(Type.String({ maxLength: 63 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
  },
  { additionalProperties: false },
);

/** Which word in the path leads to which state. */
const STEPS = { suspend: 'suspended', resume: 'active', archive: 'archived' } as const;

export function registerPlatform(http: Http, context: RouteContext): void {
  readOrganizations(http, context);
  makeOrganizations(http, context);
  moveOrganizations(http, context);
}

function readOrganizations(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/platform/organizations',
    {
      config: PLATFORM,
      schema: {
        ...TAGS,
        summary: 'All organizations, by slug',
        querystring: SlugPage,
        response: replies({ 200: Page(OrganizationInList, NextSlugs) }, CODES),
      },
    },
    async (request) => {
      const { after = '', limit = 100 } = request.query;
      const rows = await listOrganizations(engine, { after, limit: oneMore(limit) });
      return pageOf(rows, limit, ({ slug }) => ({ after: slug }));
    },
  );

  http.get(
    '/api/platform/organizations/:id',
    {
      config: PLATFORM,
      schema: {
        ...TAGS,
        summary: 'One organization',
        params: IdParams,
        response: replies({ 200: Data(Organization) }, [...CODES, 'not_found']),
      },
    },
    async (request, reply) => {
      const organization = await readOrganization(engine, request.params.id);
      if (!organization) return refuse(reply, 'not_found', MISSING) as never;
      return { data: organization };
    },
  );
}

function makeOrganizations(http: Http, { engine }: RouteContext): void {
  http.post(
    '/api/platform/organizations/:id/keys',
    {
      config: PLATFORM,
      schema: {
        ...TAGS,
        summary: 'A new key with all of an owner’s scopes, for an owner who has lost every key',
        params: IdParams,
        response: replies({ 201: Data(ApiKeyWithText) }, [...CODES, 'not_found']),
      },
    },
    async (request, reply) => {
      const caller = platformCaller(request, scopeOf(request.params.id));
      const outcome = await issueOwnerKey(engine, caller);
      return answerDone(reply, outcome, { status: 201, missing: MISSING });
    },
  );

  http.post(
    '/api/platform/organizations',
    {
      config: PLATFORM,
      schema: {
        ...TAGS,
        summary: 'A new organization with its first owner and first key, shown this once',
        body: NewOrganization,
        response: replies({ 201: Data(CreatedOrganization) }, CODES),
      },
    },
    async (request, reply) => {
      const { slug, name, owner } = request.body;
      const wanted = {
        slug,
        name,
        owner: { subject: owner.subject ?? owner.email, email: owner.email },
      };
      const caller = platformCaller(request, NOWHERE);
      const outcome = await createOrganization(engine, caller, wanted);
      if (outcome.kind === 'slug_taken') {
        const problems = [{ path: 'body/slug', message: 'is taken' }];
        return refuse(reply, 'invalid_request', 'The request is not valid.', { problems });
      }
      return answerDone(reply, outcome, { status: 201 });
    },
  );
}

function moveOrganizations(http: Http, { engine }: RouteContext): void {
  for (const [step, status] of Object.entries(STEPS)) {
    http.post(
      `/api/platform/organizations/:id/${step}`,
      {
        config: PLATFORM,
        schema: {
          ...TAGS,
          summary: `Turn an organization ${status}`,
          params: IdParams,
          response: replies({ 200: Data(Organization) }, [...CODES, 'not_found']),
        },
      },
      async (request, reply) => {
        const caller = platformCaller(request, scopeOf(request.params.id));
        const outcome = await changeOrganizationStatus(engine, caller, status);
        if (outcome.kind === 'not_possible') {
          const message = `The organization is ${outcome.from} and cannot become ${status}.`;
          return refuse(reply, 'invalid_request', message, { status: outcome.from });
        }
        return answerDone(reply, outcome, { missing: MISSING });
      },
    );
  }
}
