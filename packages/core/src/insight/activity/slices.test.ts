import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteContact } from '../../audience/contacts/index.ts';
import {
  deleteEvents,
  getEventStats,
  getEventUsage,
  listContactEvents,
  listEvents,
  searchEvents,
} from '../../audience/events/index.ts';
import { type Db, Prisma } from '../../base/db/index.ts';
import { firstIdOf, newId } from '../../base/lib/index.ts';
import { nodesOf, type PlanNode, readOf } from '../../base/slices/plans.fixture.ts';
import { cutAt, dayMs } from '../../base/slices/slices.fixture.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { removeBatch, resetProject } from '../removal/index.ts';
import { findFeed } from './feed.store.ts';
import { countRecentActivity, listActivity } from './index.ts';

/** Events of a year lie in twelve slices: whatever reads or removes them finds them in all. */
const slices = 12;
const contactsOfProject = 40;
const perSlice = 2_000;
const now = Date.now();
const startOf = (slice: number): Date => new Date(now - (slices - slice) * 30 * dayMs);

let test: TestServices;
let large: TestProject;
let small: TestProject;
let contactIds: string[];
const prisma = () => test.services.database.prisma;

beforeAll(async () => {
  test = await createTestServices();
  large = await createTestProject(test.services);
  small = await createTestProject(test.services);
  contactIds = await createContacts(large.id, contactsOfProject);
  for (let slice = 0; slice < slices; slice += 1) {
    await store(large.id, contactIds, slice, perSlice);
    if (slice < slices - 1) await cutAt(test.services.database, startOf(slice));
  }
}, 300_000);
afterAll(() => test.close());

async function createContacts(projectId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId());
  await prisma().contact.createMany({
    data: ids.map((id) => ({ id, projectId, email: `${id}@people.test` })),
  });
  return ids;
}

/** Events of these contacts in turn, a second apart, with one name for each contact of the first ten, and another for the others. */
const store = (projectId: string, contacts: string[], slice: number, count: number) =>
  prisma().$executeRaw`
    INSERT INTO "Event" ("id", "projectId", "kind", "name", "contactId", "createdAt")
    SELECT overlay(${firstIdOf(startOf(slice))}::text placing lpad(to_hex(n), 6, '0') || right(md5(random()::text), 6) from 25)::uuid, ${projectId}::uuid, 'CUSTOM',
      CASE WHEN n % ${contacts.length}::int < 10 THEN 'seen' ELSE 'bought' END,
      (${contacts}::uuid[])[1 + n % ${contacts.length}::int], ${startOf(slice)}::timestamptz - n * interval '1 second'
    FROM generate_series(0, ${count - 1}::int) n`;

/** How the statements of `work` read events. */
async function readsOf(work: (db: Db) => Promise<unknown>): Promise<string[]> {
  const reads: string[] = [];
  const planning = new Proxy(prisma(), {
    get(target, name) {
      if (name !== '$queryRaw') return Reflect.get(target, name);
      return async (query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) => {
        const sql = query instanceof Prisma.Sql ? query : Prisma.sql(query, ...values);
        const [plan] = await target.$queryRaw<{ 'QUERY PLAN': { Plan: PlanNode }[] }[]>(
          Prisma.sql`EXPLAIN (FORMAT JSON) ${sql}`,
        );
        const root = plan?.['QUERY PLAN'][0]?.Plan;
        for (const node of root ? nodesOf(root) : [])
          if (node['Relation Name']?.startsWith('Event_') || node['Index Name']?.startsWith('Event_'))
            reads.push(readOf('Event', node));
        return target.$queryRaw(sql);
      };
    },
  });
  await work(planning);
  return [...new Set(reads)].sort();
}

describe.each([
  ['unknown to statistics', async () => undefined],
  ['known to statistics', () => prisma().$executeRaw`ANALYZE "Event"`],
])('plans of a table that is %s', (_what, prepare) => {
  beforeAll(async () => {
    await prepare();
  });

  const page = { after: null, take: 21 };
  const ctxWith = (db: Db) => ({ ...large.ctx, db });

  it('read the first page of events from the end of an index of each slice', async () => {
    expect(await readsOf((db) => searchEvents.run(ctxWith(db), { limit: 20 }))).toEqual([
      'Index Scan_projectId_createdAt_id_idx',
    ]);
    expect(await readsOf((db) => searchEvents.run(ctxWith(db), { limit: 20, eventName: 'seen' }))).toEqual([
      'Index Scan_projectId_name_createdAt_idx',
    ]);
  });

  it('read the timeline of a contact by its own events', async () => {
    const [contactId = ''] = contactIds;
    const reads = await readsOf((db) =>
      findFeed(db, { projectId: large.id, contactId: { by: 'id', value: contactId } }, page),
    );
    expect(reads.filter((read) => !/Bitmap Heap Scan|contactId_name_createdAt/.test(read))).toEqual([]);
    expect(reads.length).toBeGreaterThan(0);
  });

  it('read the first page of the feed from the end of an index of each slice', async () => {
    const reads = await readsOf((db) => findFeed(db, { projectId: large.id }, page));
    expect(reads).toContain('Index Scan_projectId_createdAt_id_idx');
    expect(reads.filter((read) => read.startsWith('Seq Scan'))).toEqual([]);
  });
});

describe('events in all slices', () => {
  it('are listed in the order of their times, page by page', async () => {
    let seen = 0;
    let last = '9';
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await searchEvents.run(large.ctx, {
        limit: 100,
        eventName: 'seen',
        ...(cursor && { cursor }),
      });
      for (const { createdAt } of page.data) {
        const at = new Date(createdAt).toISOString();
        expect(at <= last).toBe(true);
        last = at;
        seen += 1;
      }
      cursor = page.cursor;
    }
    expect(seen).toBe((slices * perSlice) / 4);
  });

  it('are counted', async () => {
    const [first] = contactIds;
    expect(await getEventStats.run(large.ctx, { startDate: startOf(-1).toISOString() })).toEqual([
      { name: 'bought', count: (slices * perSlice * 3) / 4 },
      { name: 'seen', count: (slices * perSlice) / 4 },
    ]);
    expect(await getEventUsage.run(large.ctx, { eventName: 'seen' })).toMatchObject({
      totalCount: (slices * perSlice) / 4,
      uniqueContacts: 10,
    });
    expect((await listEvents.run(large.ctx, { limit: 500 })).events).toHaveLength(500);
    const theirs = await listContactEvents.run(large.ctx, { contactId: first ?? '', limit: 500 });
    expect(theirs.events).toHaveLength(500);
    expect(await countRecentActivity.run(large.ctx, {})).toBeDefined();
  });

  it('are removed by name, with a contact, and with their project, from all of them', async () => {
    const ids = await createContacts(small.id, 20);
    for (let slice = 0; slice < slices; slice += 1) await store(small.id, ids, slice, 40);
    const count = (where: object) => prisma().event.count({ where: { projectId: small.id, ...where } });
    expect(
      (
        await listActivity.run(small.ctx, {
          limit: 100,
          types: 'event.triggered',
          startDate: startOf(-1).toISOString(),
        })
      ).data,
    ).toHaveLength(100);
    const [, , , , , , , , , , buyer = ''] = ids;
    expect(await count({ contactId: buyer })).toBe(2 * slices);
    await deleteContact.run(small.ctx, { id: buyer });
    expect(await count({ contactId: buyer })).toBe(0);
    expect(await deleteEvents.run(small.ctx, { eventName: 'seen' })).toEqual({ deletedCount: 20 * slices });
    expect(await count({ name: 'seen' })).toBe(0);
    expect(await count({ name: 'bought' })).toBe(18 * slices);
    expect(await prisma().eventCount.findMany({ where: { projectId: small.id, name: 'seen' } })).toEqual([]);
    await resetProject.run(await small.userCtx('OWNER'), { id: small.id });
    for (let call = 0; call < 50; call += 1) if (!(await removeBatch(test.services, small.id))) break;
    expect(await count({})).toBe(0);
    expect(await prisma().event.count({ where: { projectId: large.id } })).toBe(slices * perSlice);
  });
});
