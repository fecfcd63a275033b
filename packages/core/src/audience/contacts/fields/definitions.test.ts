import fc, { runs } from '@postrider/vitest/fast-check.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../../base/kernel/index.ts';
import { newId } from '../../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../../testing/index.ts';
import { updateContact } from '../update-contact.ts';
import { upsertContact } from '../upsert-contact.ts';
import { convertBatch, convertFieldBatch, findOpenFieldConversions } from './convert-field.ts';
import { defineContactField } from './define-field.ts';
import { deleteContactField } from './delete-field.ts';
import { listContactFieldValues } from './list-field-values.ts';
import { listContactFields } from './list-fields.ts';
import { changedList } from './lists.rules.ts';

let test: TestServices;
let project: TestProject;
/** of a request after a field was defined */
let ctx: Context;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  ctx = { ...project.ctx, project: { ...project.project, definesFields: true } };
});

const prisma = () => test.services.database.prisma;
const define = (field: string, type: Parameters<typeof defineContactField.run>[1]['type'], label?: string) =>
  defineContactField.run(project.ctx, { field, type, ...(label !== undefined && { label }) });
const save = (data: Record<string, unknown>, email = 'ann@a.test') => upsertContact.run(ctx, { email, data });
const fieldOf = async (name: string) =>
  (await listContactFields.run(project.ctx, {})).fields.find(({ field }) => field === `data.${name}`);
const idOf = async (key: string): Promise<string> =>
  (
    await prisma().fieldDefinition.findUniqueOrThrow({
      where: { projectId_key: { projectId: project.id, key } },
    })
  ).id;
/** The seconds until all processes know a definition have passed. */
const age = (key: string) =>
  prisma().fieldDefinition.updateMany({
    where: { projectId: project.id, key },
    data: { updatedAt: new Date(Date.now() - 10_000) },
  });
async function convert(key: string): Promise<void> {
  await age(key);
  const id = await idOf(key);
  while (await convertFieldBatch(test.services, id));
}
const dataOf = async (email = 'ann@a.test') =>
  (await prisma().contact.findFirstOrThrow({ where: { projectId: project.id, email } })).data;

describe('a definition', () => {
  it('has a type and a label, is listed with its field, and is removed without its values', async () => {
    expect(await define('data.age', 'NUMBER', 'Age')).toMatchObject({
      field: 'data.age',
      type: 'NUMBER',
      label: 'Age',
      converting: true,
      unread: 0,
    });
    expect(await fieldOf('age')).toEqual({
      field: 'data.age',
      type: 'number',
      coverage: 0,
      label: 'Age',
      definition: { type: 'NUMBER', converting: true, unread: 0 },
      similar: [],
    });
    await save({ age: '30' });
    expect(await define('age', 'NUMBER')).toMatchObject({ label: 'Age' });
    expect(await define('age', null)).toMatchObject({ field: 'data.age', type: null, label: null });
    expect(await dataOf()).toEqual({ age: 30 });
    expect(await fieldOf('age')).toMatchObject({ definition: null, coverage: 100 });
  });

  it('of a date with its time takes times without a zone from that of the project, stored before or after it', async () => {
    const timeZone = 'America/New_York';
    await prisma().project.update({ where: { id: project.id }, data: { timeZone } });
    await save({ at: '2026-07-01 09:00' });
    await define('at', 'DATETIME');
    await convert('at');
    expect(await dataOf()).toEqual({ at: '2026-07-01T13:00:00.000Z' });
    ctx = { ...ctx, project: { ...project.project, timeZone, definesFields: true } };
    await save({ at: '2026-01-01 09:00' });
    expect(await dataOf()).toEqual({ at: '2026-01-01T14:00:00.000Z' });
  });

  it('goes with its field', async () => {
    await define('age', 'NUMBER');
    await deleteContactField.run(project.ctx, { field: 'age' });
    expect(await fieldOf('age')).toBeUndefined();
    expect((await prisma().project.findUniqueOrThrow({ where: { id: project.id } })).definesFields).toBe(
      false,
    );
  });

  it.each(['email', 'createdAt', 'svc_id', 'a\nb', 'k'.repeat(101)])('is refused for %j', async (field) => {
    await expect(define(field, 'TEXT')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('is one of at most 500 of its project, and concerns no other', async () => {
    await prisma().fieldDefinition.createMany({
      data: Array.from({ length: 500 }, (_, n) => ({
        id: newId(),
        projectId: project.id,
        key: `k${n}`,
        type: 'TEXT',
      })),
    });
    await expect(define('one more', 'TEXT')).rejects.toMatchObject({ code: 'CONFLICT' });
    await define('k1', 'NUMBER');
    const other = await createTestProject(test.services);
    await defineContactField.run(other.ctx, { field: 'plan', type: 'NUMBER' });
    await save({ plan: 'pro' });
    expect(await dataOf()).toEqual({ plan: 'pro' });
  });
});

describe('writing to a defined field', () => {
  it('converts, or is refused at the field and changes nothing', async () => {
    await define('age', 'NUMBER');
    await define('tags', 'LIST');
    const { id } = await save({ age: '30', tags: 'vip' });
    expect(await dataOf()).toEqual({ age: 30, tags: ['vip'] });
    const wrong = { age: 'old', tags: [1] };
    const refused = {
      code: 'VALIDATION_ERROR',
      errors: [
        { field: 'data.age', code: 'invalid_type' },
        { field: 'data.tags', code: 'invalid_type' },
      ],
    };
    await expect(save({ ...wrong, plan: 'pro' })).rejects.toMatchObject(refused);
    await expect(updateContact.run(ctx, { id, data: { ...wrong, plan: 'pro' } })).rejects.toMatchObject(
      refused,
    );
    expect(await dataOf()).toEqual({ age: 30, tags: ['vip'] });
  });

  it('of a list replaces it, removes it, or changes what is stored', async () => {
    await define('tags', 'LIST');
    const { id } = await save({ tags: ['a', 'b', 'a'] });
    await save({ tags: { add: ['c'], remove: ['a'] } });
    expect(await dataOf()).toEqual({ tags: ['b', 'c'] });
    await updateContact.run(ctx, { id, data: { tags: { add: ['a', 'b'] } } });
    expect(await dataOf()).toEqual({ tags: ['b', 'c', 'a'] });
    expect((await listContactFieldValues.run(project.ctx, { field: 'tags' })).values).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(await fieldOf('tags')).toMatchObject({ type: 'list' });
    await save({ tags: null });
    expect(await dataOf()).toEqual({});
    await save({ tags: { remove: ['x'] } });
    expect(await dataOf()).toEqual({ tags: [] });
  });

  it('of a full list is refused, and what is there stays', async () => {
    await define('tags', 'LIST');
    const full = Array.from({ length: 100 }, (_, n) => `t${n}`);
    const { id } = await save({ tags: full });
    const more = { tags: { add: ['one more'] } };
    for (const write of [() => save(more), () => updateContact.run(ctx, { id, data: more })])
      await expect(write()).rejects.toMatchObject({ errors: [{ field: 'data.tags', code: 'too_big' }] });
    expect(await dataOf()).toEqual({ tags: full });
  });

  it('of lists without a definition is refused as before', async () => {
    await expect(
      upsertContact.run(project.ctx, { email: 'a@a.test', data: { tags: ['a'] } }),
    ).rejects.toMatchObject({
      errors: [{ field: 'data.tags', code: 'invalid_type' }],
    });
  });

  it('keeps all of 100 changes that are made at the same time', async () => {
    await define('tags', 'LIST');
    const { id } = await save({ tags: Array.from({ length: 50 }, (_, n) => `old${n}`) });
    await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        const tags = { add: [`new${n}`], remove: [`old${n}`] };
        return n % 2 === 0 ? save({ tags }) : updateContact.run(ctx, { id, data: { tags } });
      }),
    );
    const { tags } = (await dataOf()) as { tags: string[] };
    expect(tags.toSorted()).toEqual(Array.from({ length: 50 }, (_, n) => `new${n}`).toSorted());
  });
});

it('change_lists of the database and changedList of the code are the same', async () => {
  const items = fc.array(fc.constantFrom('a', 'b', 'c', 'ä', '"', '\\', '%', 'x'.repeat(100)), {
    maxLength: 6,
  });
  const stored = fc.oneof(items, fc.constantFrom('a', 'z'), fc.integer(), fc.constant(null));
  await fc.assert(
    fc.asyncProperty(
      stored,
      fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 })),
      items,
      async (before, more, given) => {
        const list = Array.isArray(before) ? [...new Set(before)] : before;
        const change = {
          add: [
            ...new Set([...given, ...more.map((item) => item.toWellFormed().replaceAll('\0', ''))]),
          ].filter((item) => item !== ''),
          remove: [...new Set(given.slice(2))],
        };
        const data = list === null ? { other: 1 } : { other: 1, tags: list };
        const { rows } = await test.services.database.durable.query<{ data: unknown }>(
          'SELECT change_lists($1::jsonb, $2::jsonb) AS "data"',
          [JSON.stringify(data), JSON.stringify({ tags: change })],
        );
        expect(rows[0]?.data).toEqual({ other: 1, tags: changedList(list ?? undefined, change) });
      },
    ),
    { numRuns: runs(60) },
  );
});

describe('the values that were stored before', () => {
  const mixed = ['12.5', 7, true, '2024-01-31', 'text', '1e5', '-3'];
  async function contacts(count: number): Promise<void> {
    await prisma().contact.createMany({
      data: Array.from({ length: count }, (_, n) => ({
        id: newId(),
        projectId: project.id,
        email: `n${n}@a.test`,
        data: { mixed: mixed[n % mixed.length] ?? '' },
        createdAt: new Date(Date.UTC(2026, 0, 1) + Math.floor(n / 3)),
        updatedAt: new Date(Date.UTC(2026, 0, 1)),
      })),
    });
  }
  const values = async () =>
    (await prisma().contact.findMany({ where: { projectId: project.id }, orderBy: { email: 'asc' } })).map(
      ({ email, data }) => [email, (data as { mixed: unknown }).mixed],
    );

  it('are converted, or stay and are counted, without a change of updatedAt', async () => {
    await contacts(14);
    await define('mixed', 'NUMBER');
    await convert('mixed');
    expect(new Map((await values()) as [string, unknown][]).get('n0@a.test')).toBe(12.5);
    expect(await fieldOf('mixed')).toMatchObject({ definition: { converting: false, unread: 8 } });
    const rows = await prisma().contact.findMany({ where: { projectId: project.id } });
    expect(new Set(rows.map(({ updatedAt }) => updatedAt.getTime()))).toEqual(
      new Set([Date.UTC(2026, 0, 1)]),
    );
    await define('mixed', 'LIST');
    await convert('mixed');
    expect(await fieldOf('mixed')).toMatchObject({ definition: { converting: false, unread: 8 } });
  });

  it('are not touched while other processes may not know the definition', async () => {
    await contacts(3);
    await define('mixed', 'TEXT');
    expect(await convertFieldBatch(test.services, await idOf('mixed'))).toBe(false);
    expect(await fieldOf('mixed')).toMatchObject({ definition: { converting: true } });
    await prisma().fieldDefinition.updateMany({
      where: { projectId: project.id },
      data: { updatedAt: new Date(Date.now() - 100_000) },
    });
    expect(await findOpenFieldConversions(test.services, 100)).toContain(await idOf('mixed'));
  });

  it('are converted as by one undisturbed pass when the worker is killed 20 times', async () => {
    await contacts(1_000);
    await define('mixed', 'NUMBER');
    await age('mixed');
    const id = await idOf('mixed');
    for (let kill = 0; kill < 20; kill += 1) {
      await expect(
        prisma().$transaction(async (db) => {
          await convertBatch(db, id, 40);
          throw new Error('killed');
        }),
      ).rejects.toThrow('killed');
      await prisma().$transaction((db) => convertBatch(db, id, 40));
    }
    await convert('mixed');
    const after = new Map((await values()) as [string, unknown][]);
    for (let n = 0; n < 1_000; n += 1) {
      const before = mixed[n % mixed.length];
      const expected = typeof before === 'string' && /^-?\d+(\.\d+)?$/.test(before) ? Number(before) : before;
      expect(after.get(`n${n}@a.test`)).toEqual(expected);
    }
    const unread = Array.from({ length: 1_000 }, (_, n) => mixed[n % mixed.length]).filter(
      (value) => value === true || value === 'text' || value === '1e5' || value === '2024-01-31',
    ).length;
    expect(await fieldOf('mixed')).toMatchObject({ definition: { converting: false, unread } });
  });
});
