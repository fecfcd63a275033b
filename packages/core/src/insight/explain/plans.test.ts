import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Db, Prisma } from '../../base/db/index.ts';
import type { Context } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { explain } from './explain.ts';

/**
 * A project may have millions of contacts and emails, and be unknown to statistics, or known to them from when it was nearly empty: each
 * look-up goes by an index that finds the few rows it needs.
 */
let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

const contacts = 4_000;

interface Filled {
  project: TestProject;
  contactId: string;
  emailId: string;
  campaignId: string;
  workflowId: string;
  segmentId: string;
  staticId: string;
}

/** One contact with some of everything among thousands of the same project. */
async function fill(): Promise<Filled> {
  const project = await createTestProject(test.services);
  const { id: projectId } = project;
  const { durable } = test.services.database;
  const [contactId, emailId, campaignId, workflowId, segmentId, staticId, contentId, stepId] = Array.from(
    { length: 8 },
    () => newId(),
  ) as [string, string, string, string, string, string, string, string];
  const sql = (text: string, values: unknown[] = []) => durable.query(text, values);
  await sql(
    `INSERT INTO "Content" ("id", "projectId", "hash", "type", "sourceType", "subject", "body", "from", "projectName")
     VALUES ($1, $2, '\\x01', 'MARKETING', 'CAMPAIGN', 'Hello', 'Hello', 'hello@mail.test', 'Large')`,
    [contentId, projectId],
  );
  await sql(
    `INSERT INTO "Contact" ("id", "projectId", "email", "data", "updatedAt")
     SELECT CASE n WHEN 1 THEN $2::uuid ELSE uuid7() END, $1, 'c' || n || '@people.test', '{"plan": "free"}', now() FROM generate_series(1, ${contacts}) n`,
    [projectId, contactId],
  );
  await sql(
    `INSERT INTO "Campaign" ("id", "projectId", "name", "subject", "body", "from", "audienceType", "segmentId", "status", "sentAt", "frozenAt", "updatedAt")
     VALUES ($1, $2, 'Spring', 'Hello', 'Hello', 'hello@mail.test', 'SEGMENT', $3, 'SENT', now(), now(), now())`,
    [campaignId, projectId, segmentId],
  );
  await sql(
    `INSERT INTO "Email" ("id", "projectId", "contactId", "to", "type", "sourceType", "contentId", "status", "campaignId", "toHash")
     SELECT uuid7(), $1, c."id", c."email", 'MARKETING', 'CAMPAIGN', $2, 'SENT', $3, uuid_send(c."id") FROM "Contact" c
     WHERE c."projectId" = $1 AND c."id" <> $4`,
    [projectId, contentId, campaignId, contactId],
  );
  await sql(
    `INSERT INTO "Email" ("id", "projectId", "contactId", "to", "type", "sourceType", "contentId", "status", "reason")
     VALUES ($1, $2, $3, 'c1@people.test', 'MARKETING', 'TRANSACTIONAL', $4, 'SKIPPED', 'suppressed')`,
    [emailId, projectId, contactId, contentId],
  );
  await sql(
    `INSERT INTO "Suppression" ("projectId", "email", "reason", "emailId") SELECT "projectId", "email", 'BOUNCE', NULL FROM "Contact" WHERE "projectId" = $1`,
    [projectId],
  );
  await sql(
    `INSERT INTO "Event" ("id", "projectId", "kind", "name", "contactId", "data")
     SELECT uuid7(), $1, 'SYSTEM', name, "id", '{"reason": "api"}' FROM "Contact" CROSS JOIN unnest('{contact.subscribed,contact.unsubscribed,signup}'::text[]) AS n(name)
     WHERE "projectId" = $1`,
    [projectId],
  );
  await sql(
    `INSERT INTO "AuditLog" ("id", "projectId", "operation", "actorType", "requestId", "targetId")
     SELECT uuid7(), "projectId", 'contacts.update', 'key', 'r', "id"::text FROM "Contact" WHERE "projectId" = $1`,
    [projectId],
  );
  const condition = {
    logic: 'AND',
    groups: [
      {
        filters: [
          { field: 'data.plan', operator: 'equals', value: 'pro' },
          { field: 'event.signup', operator: 'triggeredWithin', value: 7, unit: 'days' },
          { field: 'email.sent', operator: 'triggered' },
          { field: `segment.${staticId}`, operator: 'memberOfSegment' },
        ],
      },
    ],
  };
  await sql(
    `INSERT INTO "Segment" ("id", "projectId", "name", "slug", "type", "condition", "updatedAt")
     VALUES ($1, $2, 'Pro', 'pro', 'DYNAMIC', $3, now()), ($4, $2, 'List', 'list', 'STATIC', NULL, now())`,
    [segmentId, projectId, JSON.stringify(condition), staticId],
  );
  await sql(
    `INSERT INTO "SegmentMembership" ("projectId", "segmentId", "contactId") SELECT "projectId", $2, "id" FROM "Contact" WHERE "projectId" = $1`,
    [projectId, staticId],
  );
  await sql(
    `INSERT INTO "Workflow" ("id", "projectId", "name", "enabled", "triggerConfig", "updatedAt") VALUES ($1, $2, 'Welcome', true, '{"eventName": "signup"}', now())`,
    [workflowId, projectId],
  );
  await sql(
    `INSERT INTO "WorkflowStep" ("id", "projectId", "workflowId", "type", "name", "textReads", "updatedAt") VALUES ($1, $2, $3, 'TRIGGER', 'Start', '{}', now())`,
    [stepId, projectId, workflowId],
  );
  await sql(
    `INSERT INTO "WorkflowExecution" ("id", "projectId", "workflowId", "contactId", "status", "completedAt", "updatedAt")
     SELECT uuid7(), "projectId", $2, "id", 'COMPLETED', now() + interval '1 hour', now() FROM "Contact" WHERE "projectId" = $1`,
    [projectId, workflowId],
  );
  await sql(
    `INSERT INTO "WorkflowStepExecution" ("id", "projectId", "executionId", "stepId", "status", "updatedAt")
     SELECT uuid7(), "projectId", "id", $2, 'COMPLETED', now() FROM "WorkflowExecution" WHERE "projectId" = $1`,
    [projectId, stepId],
  );
  return { project, contactId, emailId, campaignId, workflowId, segmentId, staticId };
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** What the connection has read of each table, in this transaction and, as far as the server does not count them yet, in earlier ones. */
const readSoFar = (db: Db): Promise<{ table: string; read: number }[]> => db.$queryRaw`
  SELECT relname::text AS "table", (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int AS "read" FROM pg_stat_xact_user_tables`;

/** Asks with a database that tells how many rows of each table a question reads, and by which indexes its own statements do. */
async function ask(ctx: Context, input: Parameters<typeof explain.run>[1]) {
  const { database } = ctx.services;
  let rows: { table: string; read: number }[] = [];
  const indexes = new Set<string>();
  const $transaction = (work: (db: Db) => Promise<unknown>, options: object) =>
    database.prisma.$transaction(async (db) => {
      const planned = new Proxy(db, {
        get(target, name) {
          if (name !== '$queryRaw') return Reflect.get(target, name);
          return async (query: TemplateStringsArray | Prisma.Sql, ...values: Prisma.Sql[]) => {
            const sql = query instanceof Prisma.Sql ? query : Prisma.sql(query, ...values);
            const [plan] = await target.$queryRaw<{ 'QUERY PLAN': { Plan: PlanNode }[] }[]>(
              Prisma.sql`EXPLAIN (FORMAT JSON) ${sql}`,
            );
            for (const node of nodesOf(plan?.['QUERY PLAN'][0]?.Plan ?? { 'Node Type': 'none' }))
              if (node['Index Name']) indexes.add(node['Index Name']);
            return target.$queryRaw(sql);
          };
        },
      });
      const before = new Map((await readSoFar(db)).map(({ table, read }) => [table, read]));
      const result = await work(planned);
      rows = (await readSoFar(db)).map(({ table, read }) => ({
        table,
        read: read - (before.get(table) ?? 0),
      }));
      return result;
    }, options);
  const prisma = new Proxy(database.prisma, {
    get: (target, name) => (name === '$transaction' ? $transaction : Reflect.get(target, name)),
  });
  const services = Object.create(ctx.services, { database: { value: { ...database, prisma } } });
  const answer = await explain.run({ ...ctx, services }, input);
  return { answer, rows, indexes };
}

/** The index by which each table that may be large is read. */
const allowed = new Set([
  'Campaign_pkey',
  'Installation_pkey',
  'Email_pkey',
  'Email_contact',
  'Email_campaign_contact',
  'Email_execution',
  'Email_other_recipient',
  'Content_pkey',
  'Contact_pkey',
  'Contact_projectId_email_key',
  'DeliveryBatch_pkey',
  'DeliveryBatch_waiting',
  'Event_1_contactId_name_createdAt_idx',
  'Event_1_pkey',
  'EventDispatch_pkey',
  'EventDispatch_projectId_eventId_idx',
  'Suppression_pkey',
  'AuditLog_target',
  'User_pkey',
  'Segment_pkey',
  'SegmentMembership_pkey',
  'SegmentMembership_projectId_contactId_idx',
  'WorkflowEntry_pkey',
  'WorkflowExecution_projectId_contactId_createdAt_idx',
  'WorkflowStepExecution_executionId_stepId_key',
  'Route_pkey',
  'SenderPause_pkey',
  'Project_pkey',
  'Topic_pkey',
]);

describe.each([
  ['is unknown to statistics', ''],
  ['is known to statistics', 'ANALYZE'],
])('a project that %s', (_, analyze) => {
  let filled: Filled;
  beforeAll(async () => {
    await test.services.database.durable.query('ANALYZE');
    filled = await fill();
    if (analyze) await test.services.database.durable.query(analyze);
  });

  it.each([
    ['an email', () => ({ email: filled.emailId })],
    ['a contact', () => ({ contact: filled.contactId })],
    ['an address', () => ({ contact: 'c1@people.test' })],
    ['an address without a contact', () => ({ contact: 'nobody@people.test' })],
    ['a campaign', () => ({ contact: filled.contactId, campaign: filled.campaignId })],
    ['a campaign that has the contact', () => ({ contact: 'c7@people.test', campaign: filled.campaignId })],
    ['a workflow', () => ({ contact: filled.contactId, workflow: filled.workflowId })],
    ['a segment', () => ({ contact: filled.contactId, segment: filled.segmentId })],
    ['a list', () => ({ contact: filled.contactId, segment: filled.staticId })],
  ])('%s reads few rows, by the indexes for them', async (_what, question) => {
    const { answer, rows, indexes } = await ask(filled.project.ctx, question());
    expect(answer.verdict).toBeDefined();
    expect([...indexes].filter((name) => !allowed.has(name))).toEqual([]);
    expect(rows.filter(({ read }) => read > 100)).toEqual([]);
    expect(rows.length).toBeGreaterThan(0);
  });
});

it('this test finds a look-up that reads many rows', async () => {
  const { campaignId } = await fill();
  const read = await test.services.database.prisma.$transaction(async (db) => {
    const before = await readSoFar(db);
    await db.$queryRaw`SELECT count(*)::int FROM "Email" WHERE "campaignId" = ${campaignId}::uuid AND "reason" IS NULL`;
    const of = (rows: typeof before) => rows.find(({ table }) => table === 'Email')?.read ?? 0;
    return of(await readSoFar(db)) - of(before);
  });
  expect(read).toBeGreaterThan(100);
});
