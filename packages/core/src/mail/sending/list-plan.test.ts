import { afterAll, beforeAll, expect, it } from 'vitest';
import { Prisma } from '../../base/db/index.ts';
import { routeId } from '../../base/providers/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { type EmailSearch, statementOfPage } from './emails.store.ts';
import { foldTallies } from './tally/fold-tallies.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services);
  const { prisma } = test.services.database;
  const contentId = crypto.randomUUID();
  await prisma.content.create({
    data: {
      ...{ id: contentId, projectId: project.id, hash: Uint8Array.from(Buffer.from(contentId)) },
      ...{ type: 'TRANSACTIONAL', sourceType: 'TRANSACTIONAL', subject: 'S', body: 'B' },
      ...{ from: 'team@shop.test', projectName: 'Test' },
    },
  });
  await prisma.$executeRaw`
    INSERT INTO "Email" ("id", "projectId", "to", "type", "sourceType", "contentId", "status", "createdAt")
    SELECT uuid7(), ${project.id}::uuid, 'p' || n || '@people.test', 'TRANSACTIONAL', 'TRANSACTIONAL', ${contentId}::uuid,
      CASE WHEN n % 5000 = 0 THEN 'FAILED' ELSE 'SENT' END::"EmailStatus", now() - n * interval '1 second' FROM generate_series(1, 20000) n`;
  await prisma.$executeRaw`ANALYZE "Email"`;
});
afterAll(() => test.close());

// Once, the ids of a page were joined last, to all emails: a page took seconds from a million emails on.
it.each([
  ['of all emails', {}],
  ['of a rare status', { status: 'FAILED' }],
  ['of what is being sent', { status: 'SENDING' }],
])('a page %s reads emails by indexes only', async (_what, given: Partial<EmailSearch>) => {
  const { prisma } = test.services.database;
  await foldTallies(test.services);
  const search: EmailSearch = {
    projectId: project.id,
    limit: 21,
    after: null,
    sort: 'createdAt',
    dir: 'desc',
    ...given,
  };
  const statement = await statementOfPage(prisma, search, routeId(test.services.config));
  const [plan] = await prisma.$queryRaw<{ 'QUERY PLAN': unknown }[]>(
    Prisma.sql`EXPLAIN (FORMAT JSON) ${statement}`,
  );
  const text = JSON.stringify(plan);
  expect(text).toContain('Email_pkey');
  expect(text).not.toMatch(/"Seq Scan"[^{}]*"Relation Name":\s*"Email"/);
});
