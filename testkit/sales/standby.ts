import type { TestDatabase } from '#database';

const TABLES = ['seat_holds', 'event_seats', 'event_zones', 'seat_changes', 'event_boards'];

/** Keeps the rows of an event, to come back as a standby would that had not seen the rest. */
export async function aStandby(
  database: TestDatabase,
  eventId: string,
): Promise<() => Promise<void>> {
  const of = (table: string) => `kept_${table}_${eventId.replaceAll('-', '')}`;
  const each = async (text: (table: string, column: string) => string) => {
    const tables = [...TABLES.map((name) => [name, 'event_id']), ['audit_log', 'chain_id']];
    const statements = tables.map(([name = '', column = '']) => text(name, column));
    await database.asSuperuser(
      ['set session_replication_role = replica', ...statements].join(';\n'),
    );
  };
  await each((table, column) => {
    return `drop table if exists ${of(table)};
      create table ${of(table)} as select * from ${table} where ${column} = '${eventId}'`;
  });
  return () =>
    each(
      (table, column) => `delete from ${table} where ${column} = '${eventId}';
        insert into ${table} select * from ${of(table)}`,
    );
}
