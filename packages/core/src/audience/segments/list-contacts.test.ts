import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { getContact } from '../contacts/index.ts';
import { listContacts } from './list-contacts.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
});

interface Given {
  email: string;
  subscribed?: boolean;
  snoozedUntil?: Date;
  createdAt?: Date;
}

async function add(...contacts: Given[]): Promise<string[]> {
  const rows = contacts.map((contact) => ({ ...contact, id: newId(), projectId: project.id }));
  await test.services.database.prisma.contact.createMany({ data: rows });
  return rows.map(({ id }) => id);
}

const list = (query: Record<string, unknown> = {}) => listContacts.run(project.ctx, query);
const emailsOf = ({ data }: { data: { email: string }[] }) => data.map(({ email }) => email);

/** Every page from the first to the last; `between` runs after each. */
async function walk(
  query: Record<string, unknown>,
  between = async (_page: number) => {},
): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | null = null;
  for (let page = 1; page < 50; page += 1) {
    const result: Awaited<ReturnType<typeof list>> = await list(
      cursor === null ? query : { ...query, cursor },
    );
    seen.push(...result.data.map(({ id }) => id));
    expect(result.hasMore).toBe(result.cursor !== null);
    if (page > 1) expect(result.total).toBe(0);
    if (!result.hasMore) return seen;
    cursor = result.cursor;
    await between(page);
  }
  throw new Error('the list has no end');
}

describe('pages', () => {
  it.each([
    { sort: 'createdAt', dir: 'desc' },
    { sort: 'createdAt', dir: 'asc' },
    { sort: 'email', dir: 'asc' },
    { sort: 'email', dir: 'desc' },
  ])('show 150 contacts of one moment exactly once while others come and go ($sort $dir)', async (order) => {
    const createdAt = new Date('2026-03-01T09:30:00.000Z');
    const stable = await add(
      ...Array.from({ length: 150 }, (_, i) => ({ email: `s${i}@a.test`, createdAt })),
    );
    const [first] = await add({ email: 'a0@a.test', createdAt });
    const passing = await add(
      ...Array.from({ length: 20 }, (_, i) => ({ email: `s${i}x@a.test`, createdAt })),
    );
    const seen = await walk({ ...order, limit: 7 }, async (page) => {
      await add({ email: `late${page}@a.test`, createdAt });
      const ids = passing.splice(0, 2).concat(page === 3 && first ? [first] : []);
      await test.services.database.prisma.contact.deleteMany({ where: { id: { in: ids } } });
    });
    expect(new Set(seen).size).toBe(seen.length);
    for (const id of stable) expect(seen).toContain(id);
  });

  it('contain the total on the first page, and end without a cursor', async () => {
    await add(...Array.from({ length: 5 }, (_, i) => ({ email: `c${i}@a.test` })));
    const first = await list({ limit: 3 });
    expect(first).toMatchObject({ hasMore: true, total: 5 });
    const second = await list({ limit: 3, cursor: first.cursor });
    expect(second).toMatchObject({ cursor: null, hasMore: false, total: 0 });
    expect(first.data.length + second.data.length).toBe(5);
    expect(await list({ limit: 5 })).toMatchObject({ cursor: null, hasMore: false, total: 5 });
  });

  it('are empty for an empty project', async () => {
    expect(await list()).toEqual({ data: [], cursor: null, hasMore: false, total: 0 });
  });

  it('have 20 contacts by default, and at most 100', async () => {
    await add(...Array.from({ length: 120 }, (_, i) => ({ email: `c${i}@a.test` })));
    for (const [limit, size] of [
      [undefined, 20],
      ['5', 5],
      [0, 1],
      [1000, 100],
      ['many', 20],
    ] as const) {
      expect((await list({ limit })).data).toHaveLength(size);
    }
  });

  it('refuse every cursor of another order or filter', async () => {
    await add({ email: 'a@a.test' }, { email: 'b@a.test' });
    const { cursor } = await list({ limit: 1 });
    expect((await list({ cursor, sort: 'createdAt', dir: 'desc', limit: 50 })).data).toHaveLength(1);
    for (const query of [{ sort: 'email' }, { dir: 'asc' }, { search: 'a' }, { status: 'subscribed' }])
      await expect(list({ ...query, cursor })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const byAddress = await list({ limit: 1, sort: 'email' });
    for (const bad of ['nonsense', byAddress.cursor])
      await expect(list({ cursor: bad })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('order', () => {
  it('is newest first, or by address; an unknown order falls back', async () => {
    await add(
      { email: 'b@a.test', createdAt: new Date(1_000) },
      { email: 'c@a.test', createdAt: new Date(2_000) },
      { email: 'a@a.test', createdAt: new Date(3_000) },
    );
    expect(emailsOf(await list())).toEqual(['a@a.test', 'c@a.test', 'b@a.test']);
    expect(emailsOf(await list({ sort: 'nonsense', dir: 'up' }))).toEqual([
      'a@a.test',
      'c@a.test',
      'b@a.test',
    ]);
    expect(emailsOf(await list({ dir: 'asc' }))).toEqual(['b@a.test', 'c@a.test', 'a@a.test']);
    expect(emailsOf(await list({ sort: 'email', dir: 'asc' }))).toEqual(['a@a.test', 'b@a.test', 'c@a.test']);
  });
});

describe('filters', () => {
  it('search a part of the address in any case, literally', async () => {
    await add(
      { email: 'ann_lee@one.test' },
      { email: 'annxlee@one.test' },
      { email: '100%@two.test' },
      { email: 'a\\b@two.test' },
    );
    const found = async (search: string) => emailsOf(await list({ search, sort: 'email', dir: 'asc' }));
    expect(await found('ANN')).toEqual(['ann_lee@one.test', 'annxlee@one.test']);
    expect(await found('n_l')).toEqual(['ann_lee@one.test']);
    expect(await found('%')).toEqual(['100%@two.test']);
    expect(await found('\\')).toEqual(['a\\b@two.test']);
    expect(await found("' OR true --")).toEqual([]);
    expect(await found('  ')).toHaveLength(4);
    expect((await list({ search: 'two' })).total).toBe(2);
  });

  it('distinguish subscribed, snoozed and unsubscribed contacts', async () => {
    await add(
      { email: 'sub@a.test' },
      { email: 'snoozed@a.test', subscribed: false, snoozedUntil: new Date('2030-01-01') },
      { email: 'un@a.test', subscribed: false },
    );
    const found = async (query: Record<string, unknown>) =>
      emailsOf(await list({ ...query, sort: 'email', dir: 'asc' }));
    expect(await found({ status: 'subscribed' })).toEqual(['sub@a.test']);
    expect(await found({ status: 'snoozed' })).toEqual(['snoozed@a.test']);
    expect(await found({ status: 'unsubscribed' })).toEqual(['un@a.test']);
    expect(await found({ subscribed: 'true' })).toEqual(['sub@a.test']);
    expect(await found({ subscribed: 'false' })).toEqual(['snoozed@a.test', 'un@a.test']);
    expect(await found({ subscribed: 'false', status: 'subscribed' })).toEqual(['sub@a.test']);
  });

  it.each([{ status: 'gone' }, { subscribed: 'yes' }])('refuse %j', async (query) => {
    await expect(list(query)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('never show contacts of another project', async () => {
    await add({ email: 'mine@a.test' });
    const other = await createTestProject(test.services);
    expect(emailsOf(await listContacts.run(other.ctx, { search: 'mine' }))).toEqual([]);
  });
});

describe('one contact', () => {
  it('is found by its id', async () => {
    const [id] = await add({ email: 'one@a.test' });
    expect(await getContact.runRaw(project.ctx, { id: id?.toUpperCase() })).toMatchObject({
      id,
      email: 'one@a.test',
      data: {},
    });
  });

  it('is not found when it is unknown or of another project', async () => {
    const [id] = await add({ email: 'one@a.test' });
    const other = await createTestProject(test.services);
    await expect(getContact.runRaw(other.ctx, { id })).rejects.toMatchObject({ code: 'CONTACT_NOT_FOUND' });
    await expect(getContact.run(project.ctx, { id: newId() })).rejects.toMatchObject({
      code: 'CONTACT_NOT_FOUND',
    });
  });

  it('needs a valid id', async () => {
    await expect(getContact.run(project.ctx, { id: 'x' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field: 'id', code: 'invalid_string' }],
    });
  });
});
