import fc, { runs } from '@postrider/vitest/fast-check.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusalOf } from '../../base/db/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { postgresVersions } from '../../testing/test-database.ts';
import { prepareChanges } from '../contacts/index.ts';
import { acceptEvent } from './accept-event.ts';
import { storeTracked, type TrackedEvent, type TrackRequest } from './events.store.ts';

let test: TestServices;

const names = ['ann', 'ben', 'cyd', 'dee', 'eve'];
const address = (name: string): string => `${name}@people.test`;

interface Tracking {
  name: string;
  event: 'bought' | 'seen';
  subscribed: boolean | null;
  set: Record<string, string | number>;
  unset: string[];
  data: Record<string, unknown> | null;
  key: 'once' | 'twice' | null;
}

const tracking: fc.Arbitrary<Tracking> = fc.record({
  name: fc.constantFrom(...names),
  event: fc.constantFrom('bought', 'seen'),
  subscribed: fc.constantFrom(null, null, true, false),
  set: fc.dictionary(
    fc.constantFrom('plan', 'city'),
    fc.oneof(fc.integer({ min: 0, max: 2 }), fc.constantFrom('a', 'x'.repeat(40_000))),
  ),
  unset: fc.subarray(['note', 'gone'], { maxLength: 1 }),
  data: fc.constantFrom(null, { order: [1, { deep: true }] }),
  key: fc.constantFrom(null, null, null, 'once', 'twice'),
});

/** Contacts made by the test itself may be created and changed within one millisecond: only those of before show a change. */
const before = new Date('2020-01-01');

/** A project with contacts of every kind, in which something waits for `bought`. */
async function prepareProject(): Promise<TestProject> {
  const { prisma } = test.services.database;
  const project = await createTestProject(test.services);
  const { id: projectId } = project;
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
      contact('cyd', { subscribed: false, snoozedUntil: new Date('2040-01-01') }),
    ],
  });
  const addressHash = Uint8Array.from(test.services.secrets.addressHash(projectId, address('dee')));
  await prisma.optOut.create({ data: { projectId, addressHash } });
  await prisma.eventInterest.create({ data: { projectId, name: 'bought', sourceId: newId() } });
  return project;
}

const requestOf = (
  projectId: string,
  { name, event, subscribed, set, unset, data, key }: Tracking,
): TrackRequest[] =>
  prepareChanges(
    test.services.secrets,
    projectId,
    [{ email: address(name), subscribed, set, unset }],
    true,
  ).map((change) => ({
    projectId,
    change,
    eventId: newId(),
    name: event,
    data,
    idempotency: key && { key, request: 'POST /v1/track', statusCode: 200, ttlHours: 24, digest: null },
    byDefault: true,
  }));

async function answerOf(stored: Promise<TrackedEvent>): Promise<unknown> {
  try {
    return typeof (await stored).contactId;
  } catch (error) {
    return refusalOf(error) ?? String(error);
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
    events: await read(
      `SELECT c."email", v."name", v."kind", v."data", d."eventId" IS NOT NULL AS "waits", count(*)::int
       FROM "Event" v JOIN "Contact" c ON c."id" = v."contactId" LEFT JOIN "EventDispatch" d ON d."eventId" = v."id"
       WHERE v."projectId" = $1 GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 4`,
    ),
    keys: await read(
      `SELECT "key", "request", "statusCode" FROM "IdempotencyKey" WHERE "projectId" = $1 ORDER BY 1`,
    ),
    optOuts: await read(`SELECT count(*)::int FROM "OptOut" WHERE "projectId" = $1`),
  };
}

describe.each(await postgresVersions())('events that arrive together (PostgreSQL %s)', (postgres) => {
  beforeAll(async () => {
    test = await createTestServices({ postgres });
  });
  afterAll(() => test.close());

  it('have the rows and answers of the same events one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(tracking, { minLength: 1, maxLength: 40 }), async (events) => {
        const [together, apart] = [await prepareProject(), await prepareProject()];
        const answers = await Promise.all(
          events
            .flatMap((one) => requestOf(together.id, one))
            .map((request) => answerOf(acceptEvent(test.services, request))),
        );
        const expected: unknown[] = [];
        for (const request of events.flatMap((one) => requestOf(apart.id, one)))
          expected.push(await answerOf(storeTracked(test.services.database.durable, request)));
        expect(answers).toEqual(expected);
        expect(await rowsOf(together.id)).toEqual(await rowsOf(apart.id));
      }),
      { numRuns: runs(6) },
    );
  });
});
