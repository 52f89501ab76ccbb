import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { call, startTestNode } from '@voelgoed/testkit/servers';
import { afterEach, describe, expect, it } from 'vitest';

/** A node that has stayed behind: the schema has gone on and no longer has what it needs. */
const database = useDatabase();
const SENTENCE = /the schema is of a newer release: it needs nodes of generation 1000/;

const demand = (least: number) =>
  database.asOwner('update schema_generation set least = $1', [least]);

afterEach(() => demand(1));

describe('a node that is older than the schema allows', () => {
  it('does not start, and says which release does', async () => {
    await demand(1_000);
    await expect(startTestNode(database)).rejects.toThrow(SENTENCE);
  });

  it('is not ready as soon as that is so, and ready again when it is not', async () => {
    const node = await startTestNode(database);
    const state = async () => {
      const { status, body } = await call(node.address, 'GET /health/ready');
      return [status, JSON.stringify(body)] as const;
    };
    try {
      await eventually(async () => (await state())[0] === 200);
      await demand(1_000);
      // The database is asked once a second.
      await eventually(async () => (await state())[0] === 503);
      expect((await state())[1]).toMatch(SENTENCE);
      await demand(1);
      await eventually(async () => (await state())[0] === 200);
    } finally {
      await node.stop();
    }
  });

  it('starts and serves on a schema that has only been added to', async () => {
    await database.asOwner(
      `insert into schema_migrations (name, run_on) values ('9999_of_a_later_release', now())`,
    );
    const node = await startTestNode(database);
    try {
      await eventually(async () => (await call(node.address, 'GET /health/ready')).status === 200);
    } finally {
      await node.stop();
      await database.asOwner(`delete from schema_migrations where name like '9999%'`);
    }
  });
});
