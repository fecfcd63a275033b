import fc, { runs } from '@postrider/vitest/fast-check.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Prisma } from '../../base/db/index.ts';
import { type ListOperator, newId, valueRule } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { readFilterTree } from './filters.schema.ts';
import { compileTree } from './filters.store.ts';
import { countFilter } from './index.ts';
import { jsonSql } from './values.store.ts';

let test: TestServices;
let project: TestProject;

const items = ['vip', 'beta', 'a;b', 'say "hi"', 'ä\\', '%', 'x'.repeat(100)] as const;
/** What a contact may have under the key: lists, and what is none. */
const stored = [
  [],
  ...items.map((item) => [item]),
  ['vip', 'beta'],
  [...items],
  'vip',
  1,
  true,
  undefined,
] as const;

beforeAll(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services);
  await test.services.database.prisma.contact.createMany({
    data: stored.map((tags, index) => ({
      id: newId(),
      projectId: project.id,
      email: `${index}@a.test`,
      data: tags === undefined ? {} : { tags: Array.isArray(tags) ? [...tags] : (tags as string) },
    })),
  });
});
afterAll(() => test.close());

const has = (value: unknown, item: string): boolean => Array.isArray(value) && value.includes(item);
const matches: Record<ListOperator, (value: unknown, wanted: readonly string[]) => boolean> = {
  hasAnyOf: (value, wanted) => wanted.some((item) => has(value, item)),
  hasAllOf: (value, wanted) => wanted.every((item) => has(value, item)),
  hasNoneOf: (value, wanted) => !wanted.some((item) => has(value, item)),
};
const operator = fc.constantFrom<ListOperator>('hasAnyOf', 'hasAllOf', 'hasNoneOf');
const wanted = fc.uniqueArray(fc.constantFrom(...items, 'none has it'), { minLength: 1 });
const treeOf = (name: string, value: unknown) => ({
  logic: 'AND' as const,
  groups: [{ filters: [{ field: 'data.tags', operator: name as ListOperator, value }] }],
});

it('filters and conditions find the lists that have any, all or none of the items, as the code does', async () => {
  const { prisma } = test.services.database;
  await fc.assert(
    fc.asyncProperty(operator, wanted, async (name, value) => {
      const expected = stored.flatMap((tags, index) =>
        matches[name](tags, value) ? [`${index}@a.test`] : [],
      );
      const condition = await compileTree(prisma, project.id, treeOf(name, value));
      const found = await prisma.$queryRaw<{ email: string }[]>`
        SELECT c."email" FROM "Contact" c WHERE c."projectId" = ${project.id}::uuid AND ${condition}`;
      expect(found.map(({ email }) => email).toSorted()).toEqual(expected.toSorted());
      const rule = valueRule(name, value, 'days', { now: new Date(), timeZone: 'UTC' });
      for (const tags of stored) {
        const json = tags === undefined ? null : JSON.stringify(tags);
        const operand = { value: Prisma.sql`${json}::jsonb`, text: Prisma.sql`(${json}::jsonb #>> '{}')` };
        const [row] = await prisma.$queryRaw<{ matches: boolean | null }[]>`
          SELECT ${jsonSql(rule, operand)} AS "matches"`;
        expect(row?.matches).toBe(matches[name](tags, value));
      }
    }),
    { numRuns: runs(20) },
  );
});

it('finds them in the index of data', async () => {
  const { prisma, durable } = test.services.database;
  const { id } = await createTestProject(test.services);
  await durable.query(
    `INSERT INTO "Contact" ("id", "projectId", "email", "data")
     SELECT uuid7(), $1, n || '@a.test', jsonb_build_object('tags', jsonb_build_array('t' || n)) FROM generate_series(1, 20000) n`,
    [id],
  );
  // New entries are in the index after a vacuum.
  await durable.query('VACUUM ANALYZE "Contact"');
  const condition = await compileTree(prisma, id, treeOf('hasAnyOf', ['t1', 't2']));
  const plan = await prisma.$queryRaw`
    EXPLAIN SELECT FROM "Contact" c WHERE c."projectId" = ${id}::uuid AND ${condition}`;
  expect(JSON.stringify(plan)).toContain('Contact_data');
});

describe('a value that is no list of 1 to 100 texts of 1 to 100 characters', () => {
  it.each(
    [[], 'vip', [1], [''], ['x'.repeat(101)], Array.from({ length: 101 }, (_, n) => `${n}`), null, {}].map(
      (value) => [value],
    ),
  )('is refused: %j', (value) => {
    const { issues } = readFilterTree(treeOf('hasAnyOf', value));
    expect(issues).toMatchObject([{ path: ['groups', 0, 'filters', 0, 'value'], code: 'invalid_type' }]);
  });

  it('is refused by its absence', () => {
    expect(readFilterTree(treeOf('hasAllOf', undefined)).issues).toMatchObject([{ code: 'required' }]);
  });
});

it('counts by a request', async () => {
  expect(await countFilter.run(project.ctx, { condition: treeOf('hasAllOf', ['vip', 'beta']) })).toEqual({
    count: 2,
  });
});
