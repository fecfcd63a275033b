import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { createSegment } from './create-segment.ts';
import { listContacts } from './list-contacts.ts';

let test: TestServices;
let project: TestProject;

const on = (plan: string) => ({
  logic: 'AND',
  groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: plan }] }],
});

beforeAll(async () => {
  test = await createTestServices();
  Object.assign(test.services.workflows, { signal: async () => undefined, signalDebounced: () => undefined });
  project = await createTestProject(test.services);
  await test.services.database.prisma.contact.createMany({
    data: ['pro', 'pro', 'pro', 'free'].map((plan, index) => ({
      id: newId(),
      projectId: project.id,
      email: `${plan}${index}@people.test`,
      data: { plan },
    })),
  });
});
afterAll(() => test.close());

const list = (query: Record<string, unknown>) => listContacts.runRaw(project.ctx, query);
const found = async (query: Record<string, unknown>) =>
  (await list({ ...query, sort: 'email', dir: 'asc' })).data.map(({ email }) => email);

const segment = async () =>
  (await createSegment.run(project.ctx, { name: newId(), type: 'DYNAMIC', condition: on('free') })).id;

describe('contacts by a filter tree and by segment (B11.5)', () => {
  it('are those that match, page by page, with their number', async () => {
    const first = await list({ filter: JSON.stringify(on('pro')), limit: 2 });
    expect([first.data.length, first.total, first.hasMore]).toEqual([2, 3, true]);
    const second = await list({ filter: JSON.stringify(on('pro')), limit: 2, cursor: first.cursor });
    expect(second.data).toHaveLength(1);
  });

  it('match all that is asked for', async () => {
    const segmentId = await segment();
    expect(await found({ segmentId })).toEqual(['free3@people.test']);
    expect(await found({ segmentId, filter: JSON.stringify(on('pro')) })).toEqual([]);
    expect(await found({ search: 'PRO1', filter: JSON.stringify(on('pro')) })).toEqual(['pro1@people.test']);
  });

  it.each(['{', '{"logic":"AND"}', '[]', '"text"'])('422 for the filter %s', async (filter) => {
    await expect(list({ filter })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('404 for a segment that the project does not have', async () => {
    const other = await createTestProject(test.services);
    await expect(listContacts.runRaw(other.ctx, { segmentId: await segment() })).rejects.toMatchObject({
      code: 'SEGMENT_NOT_FOUND',
    });
  });
});

describe('in a list of 40,000 contacts', () => {
  let large: TestProject;
  const filter = (field: string, operator: string, value: unknown) =>
    JSON.stringify({ logic: 'AND', groups: [{ filters: [{ field, operator, value }] }] });
  const numbers = async (query: Record<string, unknown>) => {
    const { data, total, hasMore } = await listContacts.runRaw(large.ctx, { limit: 3, ...query });
    return { n: data.map((contact) => contact.data.n), total, hasMore };
  };

  beforeAll(async () => {
    large = await createTestProject(test.services);
    // The greatest number is the newest contact, and the last by address.
    await test.services.database.durable.query(
      `INSERT INTO "Contact" ("id", "projectId", "email", "data", "createdAt")
       SELECT uuid7(), $1, 'p' || lpad(n::text, 5, '0') || '@people.test', jsonb_build_object('n', n, 'even', n % 2 = 0),
         now() - (40000 - n) * interval '1 second'
       FROM generate_series(0, 39999) n`,
      [large.id],
    );
    await test.services.database.durable.query('ANALYZE "Contact"');
  });

  it.each([
    ['few, anywhere', filter('data.n', 'lessThan', 500), [499, 498, 497], [0, 1, 2], 500],
    ['many, everywhere', filter('data.even', 'equals', true), [39998, 39996, 39994], [0, 2, 4], 20_000],
    ['many, all at one end', filter('data.n', 'lessThan', 15_000), [14999, 14998, 14997], [0, 1, 2], 15_000],
  ])(
    'matches that are %s come in the order of the list, with their number',
    async (_, tree, newest, oldest, total) => {
      expect(await numbers({ filter: tree })).toEqual({ n: newest, total, hasMore: true });
      expect(await numbers({ filter: tree, sort: 'email', dir: 'asc' })).toEqual({
        n: oldest,
        total,
        hasMore: true,
      });
    },
  );

  it('the pages from many matches to few have each of them once', async () => {
    const seen: unknown[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await listContacts.runRaw(large.ctx, {
        limit: 100,
        filter: filter('data.n', 'lessThan', 10_250),
        ...(cursor !== null && { cursor }),
      });
      seen.push(...page.data.map(({ data }) => data.n));
      cursor = page.cursor;
    } while (seen.length < 500);
    expect(seen).toEqual(Array.from({ length: 500 }, (_, index) => 10_249 - index));
  });

  it.each([
    ['a filter', { filter: filter('data.even', 'equals', true) }, 20_000],
    ['a search', { search: 'people' }, 40_000],
  ])('%s counts its matches up to a number that is asked for', async (_, query, total) => {
    expect(await numbers({ ...query, countTo: 10_000 })).toMatchObject({ total: 10_001 });
    expect(await numbers({ ...query, countTo: '50' })).toMatchObject({ total: 51 });
    expect(await numbers({ ...query, countTo: total })).toMatchObject({ total });
    expect(await numbers(query)).toMatchObject({ total });
  });

  it('a cursor is valid whatever is counted', async () => {
    const { cursor } = await listContacts.runRaw(large.ctx, { limit: 3, search: 'people', countTo: 10 });
    expect(await numbers({ search: 'people', cursor })).toMatchObject({ n: [39996, 39995, 39994], total: 0 });
  });
});
