import fc, { runs } from '@postrider/vitest/fast-check.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ContactChange, prepareChanges } from '../../audience/contacts/index.ts';
import { refusalOf } from '../../base/db/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { postgresVersions } from '../../testing/test-database.ts';
import { type AcceptedEmail, type AcceptRequest, acceptSend } from '../ledger/accept.store.ts';
import { identifyContent, type NewContent } from '../ledger/content.ts';
import { storeSend } from './accept-send.ts';

let test: TestServices;

const names = ['ann', 'ben', 'cyd', 'dee', 'eve', 'fay'];
const address = (name: string): string => `${name}@people.test`;

interface Recipient {
  name: string;
  subscribed: boolean | null;
  set: Record<string, string | number>;
  unset: string[];
}

interface Send {
  to: Recipient[];
  type: 'TRANSACTIONAL' | 'MARKETING';
  domain: 'shop.test' | 'other.test';
  key: 'once' | 'twice' | null;
  subject: string;
  transient: Record<string, unknown>;
}

const recipient: fc.Arbitrary<Recipient> = fc.record({
  name: fc.constantFrom(...names),
  subscribed: fc.constantFrom(null, null, null, true, false),
  set: fc.dictionary(
    fc.constantFrom('plan', 'city', 'note'),
    fc.oneof(fc.integer({ min: 0, max: 2 }), fc.constantFrom('a', 'ä', 'x'.repeat(40_000))),
    { maxKeys: 2 },
  ),
  unset: fc.subarray(['plan', 'note', 'gone'], { maxLength: 1 }),
});

const send: fc.Arbitrary<Send> = fc.record({
  to: fc.array(recipient, { minLength: 1, maxLength: 3 }),
  type: fc.constantFrom('TRANSACTIONAL', 'TRANSACTIONAL', 'MARKETING'),
  domain: fc.constantFrom('shop.test', 'shop.test', 'shop.test', 'other.test'),
  key: fc.constantFrom(null, null, null, 'once', 'twice'),
  subject: fc.constantFrom('Hello', 'Bye'),
  transient: fc.constantFrom({}, { code: [1, { deep: true }] }),
});

/** Contacts made by the test itself may be created and changed within one millisecond: only those of before show a change. */
const before = new Date('2020-01-01');

/** A project with contacts of every kind, the same each time. */
async function prepareProject(): Promise<TestProject> {
  const { prisma } = test.services.database;
  const project = await createTestProject(test.services);
  const { id: projectId } = project;
  await verifiedDomain(test.services, projectId, 'shop.test');
  const contact = (name: string, values: object) => ({
    id: newId(),
    projectId,
    email: address(name),
    createdAt: before,
    updatedAt: before,
    ...values,
  });
  await prisma.contact.createMany({
    data: [
      contact('ann', { subscribed: true, data: { plan: 1, note: 'n' } }),
      contact('ben', { subscribed: false, data: {} }),
      contact('cyd', { subscribed: false, snoozedUntil: new Date('2040-01-01'), data: { city: 'a' } }),
    ],
  });
  const addressHash = Uint8Array.from(test.services.secrets.addressHash(projectId, address('dee')));
  await prisma.optOut.create({ data: { projectId, addressHash } });
  await prisma.suppression.create({ data: { projectId, email: address('eve'), reason: 'BOUNCE' } });
  return project;
}

function requestOf(projectId: string, { to, type, domain, key, subject, transient }: Send): AcceptRequest {
  const content: NewContent = {
    ...{ projectId, type, sourceType: 'TRANSACTIONAL', subject, preheader: null, body: '<p>B</p>' },
    ...{
      from: `a@${domain}`,
      fromName: null,
      text: null,
      replyTo: null,
      headers: {},
      projectName: 'P',
      language: 'en',
    },
    attachments: [],
  };
  const changes = to.map(
    ({ name, ...change }): ContactChange => ({
      ...change,
      email: address(name),
      unset: change.unset.filter((field) => !(field in change.set)),
    }),
  );
  return {
    changes: prepareChanges(test.services.secrets, projectId, changes, false),
    recipients: to.map(({ name }) => ({ emailId: newId(), address: address(name), name, transient })),
    content,
    identity: identifyContent(content, new Date()),
    blobs: [],
    senderDomain: domain,
    priority: 1,
    tracked: true,
    templateId: null,
    idempotency: key && { key, request: 'POST /v1/send', statusCode: 200, ttlHours: 24, digest: null },
  };
}

/** An answer without its ids and its order, or the rule that refused the request. */
async function answerOf(stored: Promise<AcceptedEmail[]>): Promise<unknown> {
  try {
    return (await stored).map(({ contactEmail }) => contactEmail).sort();
  } catch (error) {
    return refusalOf(error)?.rule ?? String(error);
  }
}

/** Everything that the project has, without ids and times, in an order of its own. */
async function rowsOf(projectId: string): Promise<Record<string, unknown>> {
  const read = async (sql: string): Promise<unknown> =>
    (await test.services.database.durable.query(sql, [projectId])).rows;
  return {
    contacts: await read(
      `SELECT "email", "subscribed", "snoozedUntil", "data", "subscriptionChangedAt" IS NULL AS "never", "createdAt" < '2021-01-01' AND "updatedAt" > "createdAt" AS "changed"
       FROM "Contact" WHERE "projectId" = $1 ORDER BY "email"`,
    ),
    emails: await read(
      `SELECT e."to", "toName", e."vars", e."status", "reason", "acceptedSubscribed", o."subject", c."email", count(*)::int
       FROM "Email" e JOIN "Content" o ON o."id" = e."contentId" JOIN "Contact" c ON c."id" = e."contactId"
       WHERE e."projectId" = $1 GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY 1, 2, 3, 4, 5, 6, 7`,
    ),
    waiting: await read(
      `SELECT e."to", d."domain", count(*)::int FROM "DeliveryBatch" w JOIN "Email" e ON e."batchId" = w."id" AND e."id" = ANY (w."emailIds")
       JOIN "Domain" d ON d."id" = w."domainId" WHERE w."projectId" = $1 GROUP BY 1, 2 ORDER BY 1`,
    ),
    events: await read(
      `SELECT c."email", v."name", v."kind", v."data" - '{emailId,messageId}'::text[] AS "data", count(*)::int FROM "Event" v JOIN "Contact" c ON c."id" = v."contactId"
       WHERE v."projectId" = $1 GROUP BY 1, 2, 3, 4 ORDER BY 1, 2`,
    ),
    keys: await read(
      `SELECT "key", "request", "statusCode" FROM "IdempotencyKey" WHERE "projectId" = $1 ORDER BY 1`,
    ),
    optOuts: await read(`SELECT count(*)::int FROM "OptOut" WHERE "projectId" = $1`),
    contents: await read(
      `SELECT "subject", "type", "from" FROM "Content" WHERE "projectId" = $1 ORDER BY 1, 2, 3`,
    ),
  };
}

describe.each(await postgresVersions())('sends that arrive together (PostgreSQL %s)', (postgres) => {
  beforeAll(async () => {
    test = await createTestServices({ postgres });
  });
  afterAll(() => test.close());

  it('have the rows and answers of the same sends one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(send, { minLength: 1, maxLength: 40 }), async (sends) => {
        const [together, apart] = [await prepareProject(), await prepareProject()];
        const answers = await Promise.all(
          sends.map((one) => answerOf(storeSend(test.services, requestOf(together.id, one)))),
        );
        const expected: unknown[] = [];
        for (const one of sends)
          expected.push(await answerOf(acceptSend(test.services.database.durable, requestOf(apart.id, one))));
        expect(answers).toEqual(expected);
        expect(await rowsOf(together.id)).toEqual(await rowsOf(apart.id));
      }),
      { numRuns: runs(6) },
    );
  });
});
