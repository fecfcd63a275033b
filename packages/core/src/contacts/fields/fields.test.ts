import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../kernel/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { deleteContactField } from './delete-field.ts';
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
    expect(await listContactFields.run(project.ctx, {})).toEqual({
      count: 10,
      fields: [
        { field: 'createdAt', type: 'date', coverage: 100 },
        { field: 'data.a.b', type: 'string', coverage: 25 },
        { field: 'data.mixed', type: 'string', coverage: 75 },
        { field: 'data.plan', type: 'string', coverage: 100 },
        { field: 'data.seats', type: 'number', coverage: 75 },
        { field: 'data.since', type: 'date', coverage: 75 },
        { field: 'data.vip', type: 'boolean', coverage: 50 },
        { field: 'email', type: 'string', coverage: 100 },
        { field: 'subscribed', type: 'boolean', coverage: 100 },
        { field: 'updatedAt', type: 'date', coverage: 100 },
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
      data: { id: segmentId, projectId: project.id, name: 'Pros', reads: ['data.plan'] },
    });
    expect(await getContactFieldUsage.run(project.ctx, { field: 'plan' })).toEqual({
      usedInSegments: [{ id: segmentId, name: 'Pros' }],
      usedInCampaigns: [],
      usedInWorkflows: [],
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
});
