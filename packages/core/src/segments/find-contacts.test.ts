import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../kernel/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../testing/index.ts';
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
