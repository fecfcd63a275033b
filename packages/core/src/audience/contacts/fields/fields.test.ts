import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { computeWanted } from '../../../base/figures/index.ts';
import { newId } from '../../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../../testing/index.ts';
import { deleteContactField } from './delete-field.ts';
import { wantedFieldFigures } from './fields.store.ts';
import { getContactFieldUsage } from './get-field-usage.ts';
import { listContactFieldValues } from './list-field-values.ts';
import { listContactFields } from './list-fields.ts';

let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services);
  const rows: Record<string, string | number | boolean>[] = [
    { plan: 'pro', seats: 3, vip: true, since: '2026-01-02', mixed: 1, 'a.b': 'dotted' },
    { plan: 'Free', seats: 10, vip: false, since: '2026-01-02T10:00:00Z', mixed: 'x' },
    { plan: 'pro', since: 'soon', mixed: 'y', seats: -1 },
    { plan: 'é' },
  ];
  await test.services.database.prisma.contact.createMany({
    data: rows.map((data, index) => ({
      id: newId(),
      projectId: project.id,
      email: `f${index}@a.test`,
      data,
    })),
  });
});
afterAll(() => test.close());

const valuesOf = async (field: string, limit?: number) =>
  (await listContactFieldValues.run(project.ctx, { field, limit })).values;

describe('fields', () => {
  it('are the standard ones and every key, with the most frequent type and their coverage', async () => {
    const none = { label: null, definition: null, similar: [] };
    expect(await listContactFields.run(project.ctx, {})).toEqual({
      count: 10,
      fields: [
        { field: 'createdAt', type: 'date', coverage: 100, ...none },
        { field: 'data.a.b', type: 'string', coverage: 25, ...none },
        { field: 'data.mixed', type: 'string', coverage: 75, ...none },
        { field: 'data.plan', type: 'string', coverage: 100, ...none },
        { field: 'data.seats', type: 'number', coverage: 75, ...none },
        { field: 'data.since', type: 'date', coverage: 75, ...none },
        { field: 'data.vip', type: 'boolean', coverage: 50, ...none },
        { field: 'email', type: 'string', coverage: 100, ...none },
        { field: 'subscribed', type: 'boolean', coverage: 100, ...none },
        { field: 'updatedAt', type: 'date', coverage: 100, ...none },
      ],
    });
  });

  it('have distinct values: booleans, numbers, strings by code point', async () => {
    expect(await valuesOf('data.plan')).toEqual(['Free', 'pro', 'é']);
    expect(await valuesOf('plan')).toEqual(['Free', 'pro', 'é']);
    expect(await valuesOf('seats')).toEqual([-1, 3, 10]);
    expect(await valuesOf('mixed')).toEqual([1, 'x', 'y']);
    expect(await valuesOf('vip')).toEqual([false, true]);
    expect(await valuesOf('data.a.b')).toEqual(['dotted']);
    expect(await valuesOf('plan', 1)).toEqual(['Free']);
    expect(await valuesOf('subscribed')).toEqual([false, true]);
    for (const none of ['email', 'createdAt', 'updatedAt', 'unknown'])
      expect(await valuesOf(none)).toEqual([]);
    expect(await listContactFieldValues.run(project.ctx, { field: 'vip', limit: 1_000 })).toMatchObject({
      field: 'data.vip',
      count: 2,
      limit: 200,
    });
  });

  it('cannot be deleted while in use or if standard; others can, once', async () => {
    const segmentId = newId();
    await test.services.database.prisma.segment.create({
      data: { id: segmentId, projectId: project.id, name: 'Pros', slug: 'pros', reads: ['data.plan'] },
    });
    expect(await getContactFieldUsage.run(project.ctx, { field: 'plan' })).toEqual({
      usedInSegments: [{ id: segmentId, name: 'Pros' }],
      usedInCampaigns: [],
      usedInWorkflows: [],
      usedInTemplates: [],
      contactCount: 4,
      canDelete: false,
    });
    expect(await getContactFieldUsage.run(project.ctx, { field: 'email' })).toMatchObject({
      contactCount: 4,
      canDelete: false,
    });
    const remove = (field: string) => deleteContactField.run(project.ctx, { field });
    await expect(remove('data.plan')).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(remove('email')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await getContactFieldUsage.run(project.ctx, { field: 'seats' })).toMatchObject({
      canDelete: true,
    });
    const other = await createTestProject(test.services);
    expect(await deleteContactField.run(other.ctx, { field: 'seats' })).toEqual({ deletedFrom: 0 });
    expect(await remove('seats')).toEqual({ deletedFrom: 3 });
    expect(await remove('seats')).toEqual({ deletedFrom: 0 });
    expect(await valuesOf('seats')).toEqual([]);
  });

  it('are estimated from a sample of a large project, with what was known before, and then computed', async () => {
    const { prisma } = test.services.database;
    const large = await createTestProject(test.services);
    const start = Date.parse('2026-01-01');
    // Most were created within a second, as an import does; a few in the following year.
    await prisma.contact.createMany({
      data: Array.from({ length: 3_000 }, (_, index) => ({
        id: newId(),
        projectId: large.id,
        email: `${(index * 7_919) % 3_000}@a.test`,
        createdAt: new Date(start + (index < 2_700 ? index / 3 : (index - 2_699) * 100_000_000)),
        data: { ...(index % 2 === 0 && { plan: index % 4 === 0 ? 'pro' : 'free' }), seats: index % 3 },
      })),
    });
    await prisma.cachedFigure.create({
      data: { projectId: large.id, key: 'contacts.isLarge.20000', value: true },
    });
    await prisma.cachedFigure.create({
      data: {
        projectId: large.id,
        key: 'contacts.fields',
        value: [{ field: 'data.rare', type: 'string', coverage: 1, similar: [] }],
        computedAt: new Date(Date.now() - 3_600_000),
      },
    });
    const fields = async () => {
      const listed = (await listContactFields.run(large.ctx, {})).fields;
      return listed.filter(({ field }) => field.startsWith('data.'));
    };
    const values = () => listContactFieldValues.run(large.ctx, { field: 'plan' });
    const estimated = await fields();
    expect(estimated.map(({ field, type }) => [field, type])).toEqual([
      ['data.plan', 'string'],
      ['data.rare', 'string'],
      ['data.seats', 'number'],
    ]);
    expect(estimated[0]?.coverage).toBeGreaterThan(40);
    expect(estimated[0]?.coverage).toBeLessThan(60);
    expect(await values()).toMatchObject({ values: ['free', 'pro'], count: 2 });
    expect(await computeWanted(test.services, large.id, [wantedFieldFigures])).toBe(2);
    expect(await fields()).toMatchObject([
      { field: 'data.plan', type: 'string', coverage: 50 },
      { field: 'data.seats', type: 'number', coverage: 100 },
    ]);
    expect(await values()).toMatchObject({ values: ['free', 'pro'], count: 2 });
  });

  it.each([
    [20_000, 0],
    [20_001, 1],
  ])(
    'of %i contacts are counted within the request, or wanted from the background',
    async (contacts, wanted) => {
      const { id, ctx } = await createTestProject(test.services);
      await test.services.database.durable.query(
        `INSERT INTO "Contact" ("id", "projectId", "email", "data")
       SELECT uuid7(), $1, n || '@a.test', '{"plan": "pro"}' FROM generate_series(1, $2::int) n`,
        [id, contacts],
      );
      expect((await listContactFields.run(ctx, {})).fields).toContainEqual({
        field: 'data.plan',
        type: 'string',
        coverage: 100,
        label: null,
        definition: null,
        similar: [],
      });
      const where = { projectId: id, wantedAt: { not: null } };
      expect(await test.services.database.prisma.cachedFigure.count({ where })).toBe(wanted);
    },
  );
});
