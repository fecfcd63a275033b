import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteContact } from '../../audience/contacts/index.ts';
import type { Db, Prisma } from '../../base/db/index.ts';
import { firstIdOf, newId } from '../../base/lib/index.ts';
import { readsOfSlices } from '../../base/slices/plans.fixture.ts';
import { alwaysFull, cutAt, dayMs } from '../../base/slices/slices.fixture.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { removeBatch, resetProject } from '../removal/index.ts';
import { findDeliveries, findDelivery, replayNext, replayOne } from './deliveries.store.ts';
import { claimDeliveries } from './delivery/claim.store.ts';
import { bringDeliveriesForward } from './delivery/clock.store.ts';
import { findOverdueDeliveries } from './delivery/overdue.store.ts';
import { settleDeliveries } from './delivery/settle.store.ts';
import {
  createEndpoint,
  getWebhookDelivery,
  listWebhookDeliveries,
  replayWebhookDelivery,
  sweepWebhookDeliveries,
} from './index.ts';

/** Deliveries of five weeks lie in five slices: whatever attempts, lists or removes them finds them in all. */
const weeks = 5;
const perWeek = 2_000;
const now = Date.now();
const startOf = (week: number): Date => new Date(now - (weeks - week) * 7 * dayMs + dayMs);
const slicesFrom = (first: number) =>
  Array.from({ length: weeks - first }, (_, index) => `WebhookDelivery_${first + index + 1}`);

let test: TestServices;
let large: TestProject;
let small: TestProject;
let endpoints: string[];
beforeAll(async () => {
  test = await createTestServices();
  [large, small] = [await createTestProject(test.services), await createTestProject(test.services)];
  endpoints = [];
  for (const project of [large, small])
    endpoints.push((await createEndpoint.run(project.ctx, { url: 'https://hooks.people.test/' })).id);
  const [first = '', second = ''] = endpoints;
  for (let week = 0; week < weeks; week += 1) {
    await store(large.id, first, week, perWeek);
    await store(small.id, second, week, 40);
    if (week < weeks - 1)
      await cutAt(
        test.services.database,
        new Date(startOf(week + 1).getTime() - dayMs),
        alwaysFull('WebhookDelivery'),
      );
  }
}, 300_000);
afterAll(() => test.close());

const prisma = () => test.services.database.prisma;

/** Deliveries of a week, a second apart; the first ten wait. */
const store = (projectId: string, endpointId: string, week: number, count: number) =>
  prisma().$executeRaw`
    INSERT INTO "WebhookDelivery" ("id", "projectId", "endpointId", "type", "data", "status", "nextAttemptAt", "createdAt")
    SELECT (${prefixOf(week)}::text || lpad(to_hex(n), 4, '0') || right(md5(random()::text), 8))::uuid, ${projectId}::uuid,
      ${endpointId}::uuid, 'event.seen', '{}', CASE WHEN n < 10 THEN 'PENDING' ELSE 'DELIVERED' END::"WebhookDeliveryStatus",
      CASE WHEN n < 10 THEN now() - interval '1 hour' END, ${startOf(week)}::timestamptz + n * interval '1 second'
    FROM generate_series(0, ${count - 1}::int) n`;
const prefixOf = (week: number) => firstIdOf(startOf(week)).slice(0, 24);

const idIn = async (week: number): Promise<string> => {
  const rows = await prisma().$queryRawUnsafe<{ id: string }[]>(
    `SELECT "id"::text AS "id" FROM "WebhookDelivery_${week + 1}" WHERE "projectId" = $1::uuid AND "status" = 'DELIVERED' LIMIT 1`,
    large.id,
  );
  return rows[0]?.id ?? '';
};

type Work = (db: Db, pool: Pool) => Promise<unknown>;

/** What the last statement of `work` reads, with both kinds of plans. */
async function readsOf(work: Work) {
  let seen: { text: string; values?: unknown[] } | undefined;
  const pool = {
    async query(query: { text: string; values: unknown[] }) {
      seen = query;
      return { rows: [] };
    },
  } as unknown as Pool;
  const note = async (query: Prisma.Sql) => {
    seen = { text: query.text, values: query.values };
    return [];
  };
  await work({ $queryRaw: note } as unknown as Db, pool);
  if (!seen) throw new Error('no statement was made');
  const { durable } = test.services.database;
  const generic = await readsOfSlices(durable, 'WebhookDelivery', seen, 'force_generic_plan');
  const custom = await readsOfSlices(durable, 'WebhookDelivery', seen, 'force_custom_plan');
  return { generic, custom };
}

describe.each([
  ['unknown to statistics', async () => undefined],
  ['known to statistics', () => prisma().$executeRaw`ANALYZE "WebhookDelivery"`],
])('plans of a table that is %s', (_what, prepare) => {
  beforeAll(async () => {
    await prepare();
  });

  it('of one delivery read the slice that its id names', async () => {
    const [endpointId = ''] = endpoints;
    const place = { projectId: large.id, endpointId, id: await idIn(2) };
    for (const work of [(db: Db) => findDelivery(db, place), (db: Db) => replayOne(db, place)]) {
      const { generic, custom } = await readsOf(work);
      const one = { slices: ['WebhookDelivery_3'], reads: ['Index Scan_pkey'] };
      expect([generic, custom]).toEqual([one, one]);
    }
  });

  it('of results read the slices of their deliveries, by id', async () => {
    const [endpointId = ''] = endpoints;
    const token = newId();
    const results = await Promise.all(
      [1, 4].map(async (week) => ({
        ...{ id: await idIn(week), token, endpointId, delivered: true, gone: false },
        attempt: { at: '', statusCode: 200, error: null, ms: 1, response: null },
      })),
    );
    await prisma()
      .$executeRaw`UPDATE "WebhookDelivery" SET "token" = ${token}::uuid WHERE "id" = ANY(${results.map(({ id }) => id)}::uuid[])`;
    const { generic, custom } = await readsOf((_, pool) => settleDeliveries(pool, results));
    const both = { slices: ['WebhookDelivery_2', 'WebhookDelivery_5'], reads: ['Index Scan_pkey'] };
    expect([generic, custom]).toEqual([both, both]);
  });

  const byIndex = /^(Index Scan|Index Only Scan|Bitmap Index Scan|Bitmap Heap Scan)/;

  it.each<[string, Work]>([
    [
      'a claim',
      (_, pool) =>
        claimDeliveries(pool, {
          token: newId(),
          free: '{}',
          perEndpoint: 8,
          fullTurns: [],
          total: 16,
          leaseMs: 1,
        }),
    ],
    ['the look for late ones', (_, pool) => findOverdueDeliveries(pool, 60)],
  ])('of %s read what waits in each slice', async (_, work) => {
    const { generic, custom } = await readsOf(work);
    for (const { slices, reads } of [generic, custom]) {
      expect(slices).toEqual(slicesFrom(0));
      expect(reads.filter((read) => !/_due$|_endpointId_nextAttemptAt_idx$|_pkey$/.test(read))).toEqual([]);
    }
  });

  it('of a replay read a range of one index', async () => {
    const [endpointId = ''] = endpoints;
    const range = {
      ...{
        projectId: large.id,
        endpointId,
        from: startOf(1),
        to: startOf(2),
        types: null,
        failedOnly: false,
      },
    };
    const { generic, custom } = await readsOf((db) => replayNext(db, range, null, 100));
    for (const { reads } of [generic, custom])
      expect(reads.filter((read) => !byIndex.test(read))).toEqual([]);
  });

  it('of a page of the list read the end of one index of each slice', async () => {
    const [endpointId = ''] = endpoints;
    const search = { projectId: large.id, endpointId };
    const { generic, custom } = await readsOf((db) => findDeliveries(db, search, null, 21));
    for (const { reads } of [generic, custom])
      expect(reads.filter((read) => !byIndex.test(read))).toEqual([]);
  });
});

it('of the clock that was set back reads its pieces in the order of ids', async () => {
  const statements: { text: string; values?: unknown[] }[] = [];
  const durable = {
    async query(query: { text: string; values: unknown[] }) {
      statements.push(query);
      return { rows: [] };
    },
  };
  await bringDeliveriesForward(
    { ...test.services, database: { ...test.services.database, durable: durable as unknown as Pool } },
    1_000,
  );
  const [statement] = statements;
  if (!statement) throw new Error('no statement was made');
  const { reads } = await readsOfSlices(
    test.services.database.durable,
    'WebhookDelivery',
    statement,
    'force_generic_plan',
  );
  expect(reads.filter((read) => read.startsWith('Seq Scan'))).toEqual([]);
});

describe('deliveries in all slices', () => {
  const count = (where: object) => prisma().webhookDelivery.count({ where });

  it('are listed in the order of their times, page by page', async () => {
    const [id = ''] = endpoints;
    const times: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await listWebhookDeliveries.run(large.ctx, { id, limit: 100, ...(cursor && { cursor }) });
      times.push(...page.data.map(({ createdAt }) => new Date(createdAt).toISOString()));
      cursor = page.cursor;
    }
    expect(times).toHaveLength(weeks * perWeek);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it('are found and replayed by their ids', async () => {
    const [id = ''] = endpoints;
    for (let week = 0; week < weeks; week += 1) {
      const deliveryId = await idIn(week);
      expect(await getWebhookDelivery.run(large.ctx, { id, deliveryId })).toMatchObject({ id: deliveryId });
      const replayed = await replayWebhookDelivery.run(large.ctx, { id, deliveryId });
      expect(replayed).toMatchObject({ status: 'PENDING' });
    }
  });

  it('are claimed where they are due, and each by one process', async () => {
    const claim = { free: '{}', perEndpoint: 30, fullTurns: [], total: 60, leaseMs: 60_000 };
    const { durable } = test.services.database;
    const claimed = await Promise.all(
      [1, 2, 3].map(() => claimDeliveries(durable, { ...claim, token: newId() })),
    );
    const ids = claimed.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    // 10 of each week and endpoint wait, and what was replayed.
    expect(ids.length).toBe(2 * weeks * 10 + weeks);
  });

  it('are removed with their contact and their project, from all of them', async () => {
    const contact = await prisma().contact.create({
      data: { id: newId(), projectId: small.id, email: 'ann@people.test' },
    });
    await prisma()
      .$executeRaw`UPDATE "WebhookDelivery" SET "contactId" = ${contact.id}::uuid WHERE "projectId" = ${small.id}::uuid AND "status" = 'PENDING'`;
    await deleteContact.run(small.ctx, { id: contact.id });
    expect(await count({ projectId: small.id })).toBe(weeks * 30);
    await resetProject.run(await small.userCtx('OWNER'), { id: small.id });
    for (let call = 0; call < 50; call += 1) if (!(await removeBatch(test.services, small.id))) break;
    expect(await count({ projectId: small.id })).toBe(0);
    expect(await count({ projectId: large.id })).toBe(weeks * perWeek);
  });

  it('are swept where newer ones keep their slice for more than a week', async () => {
    const sweepAt = async (at: Date) => {
      const before = await count({});
      for (let last = 1; last > 0; ) last = await sweepWebhookDeliveries(test.services, at, 7);
      return before - (await count({}));
    };
    // 30 days after the first minute of a week: all of its slice is old within a week.
    const minuteLater = (week: number) => new Date(startOf(week).getTime() + 30 * dayMs + 60_000);
    expect(await sweepAt(minuteLater(2))).toBe(0);
    expect(await sweepAt(minuteLater(weeks - 1))).toBe(60);
  });
});
