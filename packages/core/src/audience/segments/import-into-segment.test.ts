import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { startContactImport } from '../contacts/index.ts';
import { createSegment } from './create-segment.ts';
import { deleteSegment } from './delete-segment.ts';
import { getSegment } from './get-segment.ts';
import { runContactImport } from './import-into-segment.ts';
import { listSegmentContacts } from './list-segment-contacts.ts';

let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
});

const newList = () =>
  createSegment.runRaw(project.ctx, { name: 'Fair', type: 'STATIC', trackMembership: true });
const start = (segmentId: string, csv: string) => startContactImport.run(project.ctx, { csv, segmentId });
const entries = () =>
  test.services.database.prisma.event.count({
    where: { projectId: project.id, name: { startsWith: 'segment.' } },
  });

it('an import adds new and existing contacts to its segment, in several batches and once each', async () => {
  const { id } = await newList();
  const rows = Array.from({ length: 6_000 }, (_, index) => `n${index}@a.test,${index}`);
  const csv = `email,n\n${rows.join('\n')}\nno address,1\n`;
  for (const expected of [6_000, 6_000]) {
    const { jobId } = await start(id, csv);
    await runContactImport(test.services, jobId);
    expect(await getSegment.run(project.ctx, { id })).toMatchObject({ memberCount: expected });
  }
  expect((await listSegmentContacts.runRaw(project.ctx, { id })).total).toBe(6_000);
  expect(await entries()).toBe(6_000);
});

it('an import into a segment that is deleted meanwhile still imports the contacts', async () => {
  const { id } = await newList();
  const { jobId } = await start(id, 'email\nann@a.test\n');
  await deleteSegment.run(project.ctx, { id });
  await runContactImport(test.services, jobId);
  expect(await test.services.database.prisma.contact.count({ where: { projectId: project.id } })).toBe(1);
});

it('only a static segment of the project can be named', async () => {
  const other = await createTestProject(test.services);
  const foreign = await createSegment.runRaw(other.ctx, { name: 'Fair', type: 'STATIC' });
  const { id } = await createSegment.runRaw(project.ctx, {
    name: 'Pro',
    condition: {
      logic: 'AND',
      groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] }],
    },
  });
  await expect(start(foreign.id, 'email\n')).rejects.toMatchObject({ code: 'SEGMENT_NOT_FOUND' });
  await expect(start(id, 'email\n')).rejects.toMatchObject({ code: 'CONFLICT' });
});
