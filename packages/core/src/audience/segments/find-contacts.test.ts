import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db, Prisma } from '../../base/db/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { findContactsByName, findContactsByText } from '../contacts/index.ts';
import { isNamed } from '../contacts/names.store.ts';
import { createSegment } from './create-segment.ts';
import { listContacts } from './list-contacts.ts';

let test: TestServices;
let project: TestProject;

/** A condition with its values as literals: a plan is made for them. */
const literal = ({ strings, values }: Prisma.Sql): string =>
  strings.reduce((text, part, index) => `${text}'${String(values[index - 1])}'${part}`);

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

describe('contacts by their names', () => {
  let people: TestProject;
  const named = async (text: string, more: object = {}) =>
    (await listContacts.runRaw(people.ctx, { text, sort: 'email', dir: 'asc', ...more })).data.map(
      ({ email }) => email.split('@')[0],
    );

  beforeAll(async () => {
    people = await createTestProject(test.services);
    const data: Record<string, unknown> = {
      jana: { firstName: 'Jana', lastName: 'Nováková', plan: 'pro' },
      nora: { name: 'Nora Łukasik-Øst' },
      wang: { firstName: '芳', lastName: '王' },
      odd: { firstName: '50% o_f \\', lastName: 7 },
      novakplan: { plan: 'Nora' },
      long: { name: `${'x'.repeat(60_000)}zoe` },
    };
    await test.services.database.prisma.contact.createMany({
      data: Object.entries(data).map(([name, each]) => ({
        id: newId(),
        projectId: people.id,
        email: `${name}@people.test`,
        data: each as object,
      })),
    });
  });

  it.each([
    ['Nováková', ['jana']],
    ['novakova', ['jana']],
    ['NOVÁK', ['jana']],
    ['NOVAK', ['jana', 'novakplan']],
    ['novakova  jana', ['jana']],
    ['jana nora', []],
    ['lukasik-ost', ['nora']],
    ['王 芳', ['wang']],
    ['50%', ['odd']],
    ['0%', []],
    ['ovakova', []],
    ['o_f', ['odd']],
    ['\\', ['odd']],
    ['7', ['odd']],
    ['people.test', ['jana', 'long', 'nora', 'novakplan', 'odd', 'wang']],
    ['zoe', []],
    ["' | jana:* & !", []],
    ['\u0301', []],
    ['j n ja no jan nov jana nova zzz', ['jana']],
  ])('%j finds %j', async (text, found) => {
    expect(await named(text)).toEqual(found);
  });

  it('are found page by page, with their number, together with other conditions', async () => {
    const first = await listContacts.runRaw(people.ctx, { text: 'n', limit: 2, sort: 'email', dir: 'asc' });
    expect([first.total > 2, first.hasMore]).toEqual([true, true]);
    const second = await named('n', { limit: 2, cursor: first.cursor });
    expect(second).not.toContain(first.data[0]?.email.split('@')[0]);
    expect(await named('n', { status: 'unsubscribed' })).toEqual([]);
    expect(await named('jana', { filter: JSON.stringify(on('pro')) })).toEqual(['jana']);
    expect(await named('', { search: 'jana' })).toEqual(['jana']);
  });

  it('are not those of another project', async () => {
    expect((await list({ text: 'Nováková' })).data).toEqual([]);
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

  it('a name is found by its index', async () => {
    const { durable } = test.services.database;
    await durable.query(
      `UPDATE "Contact" SET "data" = "data" || jsonb_build_object('firstName', 'Pat', 'lastName', 'No ' || ("data" ->> 'n'))
       WHERE "projectId" = $1 AND ("data" ->> 'n')::int % 2 = 0`,
      [large.id],
    );
    await durable.query('ANALYZE "Contact"');
    const { rows } = await durable.query<{ 'QUERY PLAN': string }>({
      text: `EXPLAIN SELECT "id" FROM "Contact" WHERE "projectId" = '${large.id}' AND ${literal(isNamed('pat 39998'))}`,
    });
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('Contact_names');
    expect(await numbers({ text: 'pat 39998' })).toMatchObject({ n: [39998], total: 1 });
    expect(await numbers({ text: 'PÁT', countTo: 10_000 })).toMatchObject({
      n: [39998, 39996, 39994],
      total: 10_001,
    });
  });

  it.each([
    ['a name that nobody has', (db) => findContactsByName(db, large.id, 'nobody', 5), 0],
    ['a name that one has', (db) => findContactsByName(db, large.id, 'pat 20', 5), 1],
    ['a name that many have', (db) => findContactsByName(db, large.id, 'pat', 5), 5],
    ['people by a text that nobody has', (db) => findContactsByText(db, large.id, 'nobody', 200), 0],
    ['people by two characters that nobody has', (db) => findContactsByText(db, large.id, 'qx', 200), 0],
  ] satisfies [string, (db: Db) => Promise<string[]>, number][])(
    '%s is found without reading the other contacts',
    async (_, find, expected) => {
      const read = await test.services.database.prisma.$transaction(async (db) => {
        const rows = async () => {
          const [sum] = await db.$queryRaw<{ rows: bigint }[]>`
            SELECT pg_stat_get_xact_tuples_returned('"Contact"'::regclass) + pg_stat_get_xact_tuples_fetched('"Contact"'::regclass) AS "rows"`;
          return Number(sum?.rows);
        };
        const before = await rows();
        const ids = await find(db);
        expect(ids.length).toBeGreaterThanOrEqual(expected);
        return (await rows()) - before;
      });
      expect(read).toBeLessThan(2_500);
    },
  );

  it('fewer than three letters and digits are looked for at the beginning, in the list by address alone anywhere', async () => {
    expect(await numbers({ text: 't..', countTo: 10 })).toMatchObject({ n: [], total: 0 });
    expect(await numbers({ text: 'e.t', countTo: 10 })).toMatchObject({ n: [], total: 0 });
    expect(await numbers({ search: 'e.t', countTo: 10 })).toMatchObject({ total: 11 });
    expect(await numbers({ text: 'eo', countTo: 10 })).toMatchObject({ n: [], total: 0 });
    expect(await numbers({ search: 'eo', countTo: 10 })).toMatchObject({ total: 11 });
    expect(await numbers({ text: 'p1', countTo: 10 })).toMatchObject({ total: 11 });
    expect(await numbers({ search: 'qx' })).toMatchObject({ n: [], total: 0 });
  });

  it('a cursor is valid whatever is counted', async () => {
    const { cursor } = await listContacts.runRaw(large.ctx, { limit: 3, search: 'people', countTo: 10 });
    expect(await numbers({ search: 'people', cursor })).toMatchObject({ n: [39996, 39995, 39994], total: 0 });
  });
});
