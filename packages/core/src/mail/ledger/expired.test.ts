import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import { nodesOf, type PlanNode } from '../../base/slices/plans.fixture.ts';
import { createTestProject, createTestServices, type TestServices } from '../../testing/index.ts';
import { removeExpired, sweepBegin } from './expired.store.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

/** The statements of a removal, each with how it reads rows, planned in the transaction that it would run in. */
async function readsOfRemoval(): Promise<{ table: string; read: string; by: string }[]> {
  const client = await test.services.database.durable.connect();
  const reads: { table: string; read: string; by: string }[] = [];
  const chosen = { ids: [newId()], contentIds: [newId()], count: 1, ...sweepBegin };
  const recorder = {
    release: () => undefined,
    async query(query: string | { text: string; values: unknown[] }) {
      if (typeof query === 'string') return client.query(query === 'COMMIT' ? 'ROLLBACK' : query);
      const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode & { 'Index Cond'?: string } }[] }>(
        {
          text: `EXPLAIN (FORMAT JSON) ${query.text}`,
          values: query.values,
        },
      );
      const root = rows[0]?.['QUERY PLAN'][0]?.Plan;
      for (const node of root ? nodesOf(root) : []) {
        const {
          'Node Type': read,
          'Relation Name': table,
          'Index Cond': by,
        } = node as typeof root & PlanNode;
        if (table && read.includes('Scan')) reads.push({ table, read, by: by ?? '' });
      }
      return { rows: [chosen], rowCount: 0 };
    },
  };
  try {
    const pool = { connect: async () => recorder } as unknown as Pool;
    const now = new Date();
    await removeExpired(pool, { before: now, now, after: sweepBegin, limit: 1_000 });
  } finally {
    client.release();
  }
  return reads;
}

/** What statistics may say when the emails of other projects, or none, are known. */
const states = {
  'that are empty': '',
  'of which statistics know little': `
    INSERT INTO "Email" ("id", "projectId", "to", "type", "sourceType", "contentId", "status")
    SELECT uuid7(), uuid7(), 'a@b.test', 'TRANSACTIONAL', 'TRANSACTIONAL', uuid7(), 'SENT' FROM generate_series(1, 3000);
    ANALYZE "Email"; ANALYZE "Project"; ANALYZE "Campaign"; ANALYZE "ExpiredEmails"`,
};

it.each(Object.entries(states))('rows of tables %s are found by an index', async (_name, statements) => {
  await createTestProject(test.services);
  for (const statement of statements.split(';').filter((each) => each.trim() !== ''))
    await test.services.database.durable.query(statement);
  const reads = await readsOfRemoval();
  // Small tables, and the result of the insertion.
  const read = reads.filter(({ table }) => table !== 'ExpiredEmails');
  expect(new Set(read.map(({ table }) => table))).toEqual(
    new Set([
      ...['Project', 'Email', 'Campaign', 'DeliveryBatch', 'WorkflowExecution', 'Template', 'Content'],
      ...['Interaction', 'RecentClick', 'EmailTag', 'MessageSource', 'SimulatorTask'],
    ]),
  );
  expect(read.filter((each) => !/^Index( Only)? Scan/.test(each.read) || each.by === '')).toEqual([]);
  expect(read.find(({ table }) => table === 'Email')?.by).toMatch(
    /"?projectId"?.*createdAt.*ROW\("?createdAt"?/,
  );
});
