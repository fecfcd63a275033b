import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Db, Prisma } from '../../../base/db/index.ts';
import { nodesOf, type PlanNode } from '../../../base/slices/plans.fixture.ts';
import { createTestServices, type TestServices } from '../../../testing/index.ts';
import { pageOfContacts } from './history.store.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

it('a page of contacts is read from its index: a sort would read all contacts for each page', async () => {
  let page = Prisma.empty;
  const recorder = {
    $queryRaw: async (texts: TemplateStringsArray, ...values: unknown[]) => {
      page = Prisma.sql(texts, ...values);
      return [];
    },
  };
  await pageOfContacts(recorder as unknown as Db, '', 2_000);
  const nodes = await test.services.database.prisma.$transaction(async (db) => {
    // An empty table would be read whole.
    await db.$executeRaw`SET LOCAL enable_seqscan = off`;
    await db.$executeRaw`SET LOCAL enable_bitmapscan = off`;
    const [row] = await db.$queryRaw<{ 'QUERY PLAN': { Plan: PlanNode }[] }[]>`EXPLAIN (FORMAT JSON) ${page}`;
    const root = row?.['QUERY PLAN'][0]?.Plan;
    return root ? nodesOf(root) : [];
  });
  expect(nodes.map((node) => [node['Node Type'], node['Index Name']])).toEqual([
    ['Limit', undefined],
    ['Index Scan', 'Contact_pkey'],
  ]);
});
