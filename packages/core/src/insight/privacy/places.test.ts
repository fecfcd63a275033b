import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestServices, type TestServices } from '../../testing/index.ts';
import { exemptColumns, exemptIds, idColumns, mentionPlaces, ownColumns } from './places.rules.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

/** The columns of tables, without those of partitions. */
const columnsWhere = async (condition: string): Promise<string[]> => {
  const { rows } = await test.services.database.durable.query<{ name: string }>(`
    SELECT c.table_name || '.' || c.column_name AS "name" FROM information_schema.columns c
    JOIN pg_class t ON t.relname = c.table_name AND t.relnamespace = current_schema()::regnamespace
    WHERE c.table_schema = current_schema() AND NOT t.relispartition AND t.relkind IN ('r', 'p')
      AND c.table_name NOT LIKE '\\_%' AND (${condition}) ORDER BY 1`);
  return rows.map(({ name }) => name);
};

const texts = `c.data_type IN ('text', 'character varying', 'json', 'jsonb', 'bytea') OR c.udt_name = '_text'`;

const listed = (of: Readonly<Record<string, readonly string[]>>): string[] =>
  Object.entries(of).flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`));

const searched = (): string[] => [
  ...mentionPlaces.flatMap(({ table, columns }) =>
    Object.keys(columns).map((column) => `${table}.${column}`),
  ),
  ...listed(ownColumns),
];
const exempt = (): string[] => exemptColumns.flatMap(({ columns }) => listed(columns));

describe('the lists of columns', () => {
  it('each column that holds texts is on the list of those that may hold an address, or on the other with a reason', async () => {
    const all = await columnsWhere(texts);
    expect([...searched(), ...exempt()].toSorted()).toEqual(all);
  });

  it('each column that holds the id of a contact is looked at, or has a reason', async () => {
    const all = await columnsWhere(`c.column_name = 'contactId'`);
    const ids = Object.entries(idColumns).map(([table, column]) => `${table}.${column}`);
    expect([...ids.filter((name) => name !== 'Contact.id'), ...Object.keys(exemptIds)].toSorted()).toEqual(
      all,
    );
  });

  it('each place is read by columns that it has, in the order of an index', async () => {
    const all = new Set(await columnsWhere('true'));
    for (const { table, order, key, time, of } of mentionPlaces) {
      const rows = of?.table ?? table;
      const names = [
        ...order.map(({ column }) => `${rows}.${column}`),
        ...key.map((column) => `${table}.${column}`),
        ...(time === undefined ? [] : [`${table}.${time}`]),
        ...(of ? [`${table}.${of.column}`] : []),
      ];
      expect(names.filter((name) => !all.has(name))).toEqual([]);
    }
  });
});
