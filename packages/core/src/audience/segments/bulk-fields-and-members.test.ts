import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import {
  bulkUpdateContacts,
  defineContactField,
  deleteContact,
  getContactBulkJob,
  upsertContact,
} from '../contacts/index.ts';
import {
  bulkAddToSegment,
  createSegment,
  deleteSegment,
  getSegment,
  listSegmentContacts,
  runContactChange,
} from './index.ts';

let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
});

const prisma = () => test.services.database.prisma;
const add = (data: object = {}, of = project) =>
  upsertContact.runRaw(of.ctx, { email: `${newId()}@people.test`, data });
const dataOf = async (id: string) => (await prisma().contact.findUniqueOrThrow({ where: { id } })).data;
async function run(jobId: string) {
  while (await runContactChange(test.services, jobId));
  return getContactBulkJob.run(project.ctx, { jobId });
}
const update = async (input: object) => run((await bulkUpdateContacts.runRaw(project.ctx, input)).jobId);

describe('writing fields of many contacts', () => {
  it('sets and removes them, keeps the others, and counts what changed, needed no change and is unknown', async () => {
    const [ann, bob] = [await add({ plan: 'free', city: 'Ulm' }), await add({ plan: 'pro' })];
    const foreign = await add({ plan: 'free' }, await createTestProject(test.services));
    const job = await update({
      contactIds: [ann.id, bob.id, foreign.id],
      data: { plan: 'pro', city: null },
    });
    expect(job.result).toMatchObject({
      operation: 'update',
      totalRequested: 3,
      successCount: 1,
      unchangedCount: 1,
      failureCount: 1,
      errors: [{ contactId: foreign.id, email: null, error: 'Contact not found' }],
    });
    expect([await dataOf(ann.id), await dataOf(bob.id)]).toEqual([{ plan: 'pro' }, { plan: 'pro' }]);
    expect(await dataOf(foreign.id)).toEqual({ plan: 'free' });
  });

  it('selects by the name, and leaves out whom the request excludes', async () => {
    const [ann, other, bob] = [
      await add({ firstName: 'Ann', lastName: 'Novák' }),
      await add({ name: 'Ann Nováková' }),
      await add({ firstName: 'Bob' }),
    ];
    await update({
      mode: 'query',
      filter: { text: 'novak' },
      excludeIds: [other.id],
      data: { seen: true },
    });
    const seen = [ann, other, bob].map(async ({ id }) => ((await dataOf(id)) as { seen?: boolean }).seen);
    expect(await Promise.all(seen)).toEqual([true, undefined, undefined]);
  });

  it('follows the definitions of fields', async () => {
    await defineContactField.runRaw(project.ctx, { field: 'data.tags', type: 'LIST' });
    await defineContactField.runRaw(project.ctx, { field: 'data.seats', type: 'NUMBER' });
    const ctx = { ...project.ctx, project: { ...project.project, definesFields: true } };
    const { id } = await add();
    await prisma().contact.update({ where: { id }, data: { data: { tags: ['old', 'kept'] } } });
    const { jobId } = await bulkUpdateContacts.runRaw(ctx, {
      contactIds: [id],
      data: { tags: { add: ['new'], remove: ['old'] }, seats: '4' },
    });
    await run(jobId);
    expect(await dataOf(id)).toEqual({ tags: ['kept', 'new'], seats: 4 });
    await expect(
      bulkUpdateContacts.runRaw(ctx, { contactIds: [id], data: { seats: 'many' } }),
    ).rejects.toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field: 'data.seats' }] });
  });

  it('names contacts whose data would be too large, and changes the others', async () => {
    const [full, ann] = [await add({ a: 'x'.repeat(60_000) }), await add()];
    const { result } = await update({ contactIds: [full.id, ann.id], data: { b: 'x'.repeat(10_000) } });
    expect(result).toMatchObject({
      successCount: 1,
      failureCount: 1,
      errors: [{ contactId: full.id, email: full.email, error: expect.stringContaining('64 KiB') }],
    });
    expect(await dataOf(full.id)).toEqual({ a: 'x'.repeat(60_000) });
  });

  it('goes on over several batches', async () => {
    await prisma().contact.createMany({
      data: Array.from({ length: 2_500 }, (_, index) => ({
        id: newId(),
        projectId: project.id,
        email: `n${index}@people.test`,
      })),
    });
    const { result } = await update({ mode: 'query', filter: {}, data: { wave: 1 } });
    expect(result).toMatchObject({ totalRequested: 2_500, successCount: 2_500 });
  });

  it.each([
    [{ data: {} }, 'data'],
    [{ data: { plan: '' } }, 'data'],
    [{}, 'data'],
    [{ data: { plan: [{}] } }, 'data.plan'],
  ])('refuses %j', async (input, field) => {
    const selection = { contactIds: [newId()] };
    await expect(bulkUpdateContacts.runRaw(project.ctx, { ...selection, ...input })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field }],
    });
  });
});

describe('adding many contacts to a segment', () => {
  const segment = async (input: object = {}) =>
    (await createSegment.runRaw(project.ctx, { name: newId(), type: 'STATIC', ...input })).id;
  const join = async (input: object) => (await bulkAddToSegment.runRaw(project.ctx, input)).jobId;

  it('makes them members with the events of the segment, each once', async () => {
    const segmentId = await segment({ trackMembership: true });
    const [ann, bob] = [await add(), await add()];
    const foreign = await add({}, await createTestProject(test.services));
    await run(await join({ contactIds: [ann.id], segmentId }));
    const job = await run(await join({ contactIds: [ann.id, bob.id, foreign.id], segmentId }));
    expect(job.result).toMatchObject({
      operation: 'add',
      totalRequested: 3,
      successCount: 1,
      unchangedCount: 1,
      failureCount: 1,
      added: 1,
    });
    const members = await listSegmentContacts.runRaw(project.ctx, { id: segmentId });
    expect(members.data.map(({ id }) => id).toSorted()).toEqual([ann.id, bob.id].toSorted());
    expect((await getSegment.run(project.ctx, { id: segmentId })).memberCount).toBe(2);
    expect(
      await prisma().event.count({ where: { projectId: project.id, name: { endsWith: '.entry' } } }),
    ).toBe(2);
  });

  it('adds all that match at the time of the call', async () => {
    const segmentId = await segment();
    for (let index = 0; index < 3; index += 1) await add();
    const gone = await add();
    const jobId = await join({ mode: 'query', filter: {}, segmentId });
    await add();
    await deleteContact.run(project.ctx, { id: gone.id });
    expect((await run(jobId)).result).toMatchObject({ successCount: 3, failureCount: 1 });
  });

  it('fails when the segment is deleted meanwhile', async () => {
    const segmentId = await segment();
    const jobId = await join({ contactIds: [(await add()).id], segmentId });
    await deleteSegment.run(project.ctx, { id: segmentId });
    expect(await run(jobId)).toMatchObject({ state: 'failed', failedReason: 'The segment was deleted' });
  });

  it('refuses a dynamic segment, and that of another project', async () => {
    const contactIds = [(await add()).id];
    const condition = {
      logic: 'AND',
      groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] }],
    };
    const dynamic = await segment({ type: 'DYNAMIC', condition });
    await expect(join({ contactIds, segmentId: dynamic })).rejects.toMatchObject({ code: 'CONFLICT' });
    const other = await createTestProject(test.services);
    const theirs = await createSegment.runRaw(other.ctx, { name: 'S', type: 'STATIC' });
    await expect(join({ contactIds, segmentId: theirs.id })).rejects.toMatchObject({
      code: 'SEGMENT_NOT_FOUND',
    });
  });
});
