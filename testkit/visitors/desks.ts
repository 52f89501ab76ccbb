import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll } from 'vitest';
import { newId } from '#builders';
import { eventually } from '#eventually';
import { type CallOptions, call, type Reply, tokenFor } from '#servers';
import { enterAs } from './staff.ts';

/** What a test of the desks needs of a shop. */
type Shop = Readonly<{
  database: { asSuperuser(text: string): Promise<Record<string, unknown>[]> };
  node(): { address: string };
  visit(path: string, options?: BrowserContextOptions): Promise<Page>;
}>;

/** People of the demo's organization: its owner, its buyers, and somebody at a desk. */
export function useDesk(shop: Shop) {
  let organizationId = '';
  beforeAll(async () => {
    const text = `select organization_id from organizations where slug = 'demo'`;
    organizationId = String((await shop.database.asSuperuser(text))[0]?.organization_id);
  });
  const askAs = async (token: string, route: string, options: CallOptions) => {
    const headers = { 'idempotency-key': newId() };
    // On a busy machine a node gives up and says so; the same key does nothing twice.
    const reply = await eventually(async () => {
      const answer = await call(shop.node().address, route, { token, headers, ...options });
      return answer.status === 503 ? null : answer;
    });
    if (reply.status >= 300) throw new Error(`${route}: ${JSON.stringify(reply.body)}`);
    return reply;
  };
  return {
    organizationId: () => organizationId,
    /** As the owner; a refusal is a failure. */
    ask: (route: string, options: CallOptions = {}): Promise<Reply> =>
      askAs(tokenFor(organizationId), route, options),
    /** As a buyer of this name, refused or not. */
    buyer: (subject: string) => {
      const token = tokenFor(organizationId, { role: 'customer', subject });
      return (route: string, options: CallOptions = {}): Promise<Reply> =>
        call(shop.node().address, route, { token, ...options });
    },
    /** Opens a screen for staff and signs in as the owner. */
    sit: async (path: string, options?: BrowserContextOptions): Promise<Page> => {
      const page = await shop.visit(path, options);
      await enterAs(page, 'owner');
      return page;
    },
  };
}
