import { afterAll, beforeAll, expect, it } from 'vitest';
import { eraseContacts } from '../../../audience/contacts/erase.store.ts';
import { updateContactsById } from '../../../audience/contacts/update-by-id.store.ts';
import { applyCondition, touchContacts } from '../../../audience/segments/membership.store.ts';
import { findSegment } from '../../../audience/segments/segments.store.ts';
import { type Db, Prisma } from '../../../base/db/index.ts';
import { newId } from '../../../base/lib/index.ts';
import { goneRecipients, requeueEmails } from '../../../mail/ledger/index.ts';
import {
  createTestProject,
  createTestServices,
  sendingCampaign,
  type TestServices,
} from '../../../testing/index.ts';
import { contactsForSegments, enterByEvents, wakeExecutions } from './dispatch.store.ts';
import { findEvents } from './find-events.store.ts';
import { buildWorkflow } from './runtime.fixture.ts';
import { claim, writeSet } from './set.store.ts';

/**
 * Statistics do not know a project that was filled a moment ago. What a statement reads of it must not depend on them: until the next
 * analysis of the table, a new project would be slower the larger it is.
 */
let test: TestServices;
let projectId: string;
let campaignId: string;
let segmentId: string;

const contacts = 3_000;
const tables = [
  'Contact',
  'Event',
  'Email',
  'WorkflowExecution',
  'WorkflowStepExecution',
  'SegmentMembership',
  'RecipientLog',
  'Interaction',
];
const pool = () => test.services.database.durable;

/** Contacts with an event, an email of a campaign and a waiting execution each. */
async function fill(
  project: string,
  campaign: string,
  workflow: Awaited<ReturnType<typeof buildWorkflow>>,
): Promise<void> {
  const values = [project, campaign, workflow.id, workflow.step('wait')];
  await pool().query(
    `WITH person AS (
      INSERT INTO "Contact" ("id", "projectId", "email", "data")
      SELECT uuid7(), $1::uuid, n || '@' || $1::text || '.test', '{"plan": "pro"}' FROM generate_series(1, ${contacts}) n RETURNING "id", "email"
    ), happened AS (
      INSERT INTO "Event" ("id", "projectId", "name", "kind", "contactId", "createdAt")
      SELECT uuid7(), $1::uuid, 'signup', 'CUSTOM', "id", now() FROM person
    ), email AS (
      INSERT INTO "Email" ("id", "projectId", "contactId", "to", "toHash", "type", "sourceType", "contentId", "campaignId", "status", "updatedAt")
      SELECT uuid7(), $1::uuid, "id", "email", uuid_send("id"), 'MARKETING', 'CAMPAIGN', uuid7(), $2::uuid, 'FAILED', now() FROM person RETURNING "id"
    ), logged AS (
      INSERT INTO "RecipientLog" ("id", "campaignId", "status", "at", "firstId", "lastId", "count", "emailIds")
      SELECT uuid7(), $2::uuid, 'FAILED', now(), ids[1], ids[cardinality(ids)], cardinality(ids), ids FROM (
        SELECT array_agg("id") AS ids FROM (SELECT "id", row_number() OVER () / 500 AS part FROM email) e GROUP BY part) l
    ), entered AS (
      INSERT INTO "WorkflowExecution" ("id", "projectId", "workflowId", "contactId", "status", "currentStepId")
      SELECT uuid7(), $1::uuid, $3::uuid, "id", 'WAITING', $4::uuid FROM person RETURNING "id"
    )
    INSERT INTO "WorkflowStepExecution" ("id", "projectId", "executionId", "stepId", "status", "startedAt")
    SELECT uuid7(), $1::uuid, "id", $4::uuid, 'WAITING', now() - interval '1 minute' FROM entered`,
    values,
  );
}

const analyze = () => pool().query(`ANALYZE ${tables.map((name) => `"${name}"`).join(', ')}`);

async function blocksOfAll(): Promise<Blocks> {
  const found: Blocks = {};
  for (const [name, run] of Object.entries(statements)) found[name] = await blocksOf(run);
  return found;
}

async function newProject() {
  const { id } = await createTestProject(test.services);
  const workflow = await buildWorkflow(test.services, id, {
    wait: { type: 'WAIT_FOR_EVENT', config: { eventName: 'signup' } },
  });
  const campaign = await sendingCampaign(test.services, id);
  return { id, workflow, campaign };
}

beforeAll(async () => {
  test = await createTestServices();
  // Events lie in a slice, which has the settings.
  for (const table of tables.map((each) => (each === 'Event' ? 'Event_1' : each)))
    await pool().query(`ALTER TABLE "${table}" SET (autovacuum_enabled = false)`);
  for (let n = 0; n < 3; n += 1) {
    const { id, workflow, campaign } = await newProject();
    await fill(id, campaign, workflow);
  }
  await analyze();
  const { id, workflow, campaign } = await newProject();
  projectId = id;
  campaignId = campaign;
  segmentId = newId();
  await test.services.database.prisma.segment.create({
    data: {
      id: segmentId,
      projectId,
      name: 'Pro',
      slug: 'pro',
      type: 'DYNAMIC',
      trackMembership: true,
      condition: {
        logic: 'AND',
        groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] }],
      },
    },
  });
  await test.services.database.prisma.eventInterest.create({
    data: { projectId, sourceId: segmentId, name: 'signup' },
  });
  await fill(id, campaign, workflow);
  const unknown = await blocksOfAll();
  await analyze();
  measured = [unknown, await blocksOfAll()];
}, 120_000);
afterAll(() => test.close());

interface Plan {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

type Blocks = Record<string, number>;
let measured: [unknown: Blocks, known: Blocks];

/** Blocks that the statements of `run` read, each planned by itself, in a transaction that is rolled back. */
async function blocksOf(run: (db: Db) => Promise<unknown>): Promise<number> {
  const client = await pool().connect();
  let blocks = 0;
  const explained = async (first: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) => {
    const sql =
      'strings' in first ? (first as Prisma.Sql) : Prisma.sql(first as TemplateStringsArray, ...values);
    const query = { text: sql.text, values: sql.values };
    await client.query('SAVEPOINT before');
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>({
      ...query,
      text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${query.text}`,
    });
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
    blocks += (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
    await client.query('ROLLBACK TO SAVEPOINT before');
    const result = await client.query(query);
    return result.rows;
  };
  try {
    await client.query('BEGIN');
    await run({ $queryRaw: explained, $executeRaw: explained } as unknown as Db);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
  return blocks;
}

const some = 200;
const ids = async (column: string, table: string): Promise<string[]> => {
  const { rows } = await pool().query<{ id: string }>(
    `SELECT ${column} AS id FROM "${table}" WHERE "projectId" = $1::uuid ORDER BY "id" LIMIT ${some}`,
    [projectId],
  );
  return rows.map(({ id }) => id);
};

const events = async () =>
  (await ids('"contactId"', 'Event')).map((contactId) => ({
    ...{ contactId, name: 'signup', createdAt: new Date(), storedAt: new Date(), seq: 1 },
  }));
/** One step of the waiting executions of the project. */
const unit = async () => {
  const { workflowId, currentStepId } =
    await test.services.database.prisma.workflowExecution.findFirstOrThrow({
      where: { projectId },
    });
  return { projectId, workflowId, stepId: currentStepId ?? '' };
};
const contactIds = () => ids('"contactId"', 'WorkflowExecution');
const now = new Date();

const statements: Record<string, (db: Db) => Promise<unknown>> = {
  'entries by events': async (db) => {
    const { workflowId: id } = await unit();
    const workflow = {
      ...{ id, allowReentry: true, triggerStepId: null, version: null, triggerConfig: {} },
      entry: { limit: 9, every: { amount: 1, unit: 'hours' } },
    };
    return enterByEvents(db, projectId, workflow, await ids('"id"', 'Event'));
  },
  'waking executions': async (db) => {
    const { workflowId } = await unit();
    return wakeExecutions(db, projectId, workflowId, await events());
  },
  'finding contacts of segments': async (db) => contactsForSegments(db, projectId, await events()),
  'claiming a set': async (db) => claim(db, { ...(await unit()), limit: some }),
  'claiming executions by their ids': async (db) =>
    claim(db, { ...(await unit()), limit: some, ids: await ids('"id"', 'WorkflowExecution') }),
  'finding the events of waits': async (db) =>
    findEvents(
      db,
      projectId,
      (await contactIds()).map((contactId) => ({
        ...{ contactId, names: ['signup'], since: { at: new Date(0), eventId: null }, until: null },
      })),
    ),
  'updating contacts': async (db) =>
    updateContactsById(
      db,
      test.services.secrets,
      projectId,
      (await contactIds()).map((id) => ({ id, email: '', subscribed: false, set: { a: 1 }, unset: [] })),
      { by: 'mass', source: 'workflow', actor: 'system', reason: 'workflow' },
    ),
  'writing a set': async (db) => {
    const executions = await ids('"id"', 'WorkflowExecution');
    const { stepId } = await unit();
    return writeSet(db, {
      ...{ projectId, now, requests: [] },
      records: executions.map((executionId) => ({
        ...{ id: newId(), executionId, stepId, status: 'COMPLETED' as const, scheduledFor: null, output: {} },
        ...{ error: null, eventId: null, version: null },
      })),
      progress: executions.map((id) => ({
        ...{ id, status: 'COMPLETED' as const, currentStepId: null, dueAt: null, exitReason: null },
        ...{ context: {}, anchorAt: now, anchorEventId: null },
      })),
    });
  },
  'touching contacts': async (db) => touchContacts(db, projectId, await ids('"id"', 'Contact')),
  'following contacts into a segment': async (db) => {
    const segment = await findSegment(test.services.database.prisma, projectId, segmentId);
    if (!segment) throw new Error('no segment');
    return applyCondition(db, segment, await ids('"id"', 'Contact'));
  },
  'erasing contacts': async (db) =>
    eraseContacts(db, test.services.secrets, projectId, await ids('"id"', 'Contact')),
  'requeueing emails': (db) =>
    requeueEmails(
      db,
      {
        projectId,
        campaignId,
        statuses: ['FAILED'],
        before: null,
        batchSize: 100,
        sandboxFrom: 'sandbox@localhost',
      },
      null,
      some,
    ),
  'looking for contacts that are gone': (db) => goneRecipients(db, campaignId, null, some),
};

it.each(Object.keys(statements))(
  '%s reads as much of a project that statistics do not know as of one that they know',
  (name) => {
    const [unknown, known] = measured;
    expect(unknown[name]).toBeGreaterThan(0);
    // A plan that depends on statistics reads a hundred times as much; erasing reads the indexes of a table at most twice.
    expect(unknown[name]).toBeLessThanOrEqual((known[name] ?? 0) * 2);
  },
);
