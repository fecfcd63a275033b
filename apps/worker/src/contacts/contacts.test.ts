import {
  bulkDeleteContacts,
  bulkUpdateContacts,
  changeContactsJob,
  convertFieldJob,
  defineContactField,
  getContactBulkJob,
  getContactImport,
  importContactsJob,
  startContactImport,
} from '@postrider/core/audience/contacts';
import { bulkAddToSegment, createSegment } from '@postrider/core/audience/segments';
import { conflict, type JobContract, suggestions } from '@postrider/core/base/kernel';
import { newId } from '@postrider/core/base/lib';
import {
  createTestProject,
  createTestServices,
  refuseWrites,
  type TestServices,
} from '@postrider/core/testing';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executeJob } from '../testing/jobs.ts';
import { createTimeSkippingEnvironment, withWorker } from '../testing/time-skipping.ts';
import { createContactActivities } from './contacts.activities.ts';

let test: TestServices;
let environment: TestWorkflowEnvironment;

beforeAll(async () => {
  [test, environment] = await Promise.all([createTestServices(), createTimeSkippingEnvironment()]);
}, 300_000);
afterAll(async () => {
  await environment.teardown();
  await test.close();
});

/** Runs a job to its end three times; the second and third run must find no work. */
const runJob = (job: JobContract<{ jobId: string }>, jobId: string, times = 1) =>
  withWorker(environment, createContactActivities(test.services), async () => {
    for (let time = 0; time < times; time += 1) await executeJob(environment, job, { jobId });
  });

it('an import and a bulk change run to their end, and starting them again changes nothing', async () => {
  const { ctx, id: projectId } = await createTestProject(test.services);
  const rows = Array.from({ length: 450 }, (_, index) => `n${index}@a.test\n`);
  const started = await startContactImport.run(ctx, { csv: `email\n${rows.join('')}` });
  await runJob(importContactsJob, started.jobId, 2);
  expect(await getContactImport.run(ctx, started)).toMatchObject({
    state: 'completed',
    result: { totalRows: 450, createdCount: 450, updatedCount: 0 },
  });
  const bulk = await bulkDeleteContacts.run(ctx, { mode: 'query', filter: {} });
  await runJob(changeContactsJob, bulk.jobId, 2);
  expect(await getContactBulkJob.run(ctx, bulk)).toMatchObject({
    state: 'completed',
    result: { totalRequested: 450, successCount: 450 },
  });
  expect(await test.services.database.prisma.contact.count({ where: { projectId } })).toBe(0);
});

it('fields of many contacts are written, and they become members of a segment', async () => {
  const { ctx, id: projectId } = await createTestProject(test.services);
  const { prisma } = test.services.database;
  await prisma.contact.createMany({
    data: ['ann', 'bob'].map((name) => ({ id: newId(), projectId, email: `${name}@a.test` })),
  });
  const everybody = { mode: 'query', filter: {} } as const;
  const update = await bulkUpdateContacts.runRaw(ctx, { ...everybody, data: { plan: 'pro' } });
  const segment = await createSegment.runRaw(ctx, { name: 'All', type: 'STATIC' });
  const add = await bulkAddToSegment.runRaw(ctx, { ...everybody, segmentId: segment.id });
  for (const job of [update, add]) {
    await runJob(changeContactsJob, job.jobId, 2);
    expect(await getContactBulkJob.run(ctx, job)).toMatchObject({
      state: 'completed',
      result: { totalRequested: 2, successCount: 2 },
    });
  }
  const contacts = await prisma.contact.findMany({ where: { projectId } });
  expect(contacts.map(({ data }) => data)).toEqual([{ plan: 'pro' }, { plan: 'pro' }]);
  expect(await prisma.segmentMembership.count({ where: { segmentId: segment.id } })).toBe(2);
});

it('the stored values of a defined field are converted, once all processes know the definition', async () => {
  const { ctx, id: projectId } = await createTestProject(test.services);
  const { prisma } = test.services.database;
  await prisma.contact.create({ data: { id: newId(), projectId, email: 'ann@a.test', data: { age: '30' } } });
  await defineContactField.run(ctx, { field: 'age', type: 'NUMBER' });
  const { id: definitionId } = await prisma.fieldDefinition.findFirstOrThrow({ where: { projectId } });
  const run = () =>
    withWorker(environment, createContactActivities(test.services), () =>
      executeJob(environment, convertFieldJob, { definitionId }),
    );
  const data = async () => (await prisma.contact.findFirstOrThrow({ where: { projectId } })).data;
  // The workflow's clock skips its five seconds; that of the database does not.
  await run();
  expect(await data()).toEqual({ age: '30' });
  await prisma.fieldDefinition.updateMany({
    where: { projectId },
    data: { updatedAt: new Date(Date.now() - 5_000) },
  });
  await run();
  expect(await data()).toEqual({ age: 30 });
  await run();
  expect(await prisma.fieldDefinition.findFirstOrThrow({ where: { projectId } })).toMatchObject({
    converting: false,
    unread: 0,
  });
});

describe('a job that cannot continue', () => {
  const internal = 'An unexpected error occurred. Start it again';

  it('fails with a reason: an import whose contacts cannot be stored', async () => {
    const { ctx } = await createTestProject(test.services);
    const started = await startContactImport.run(ctx, { csv: 'email\nann@a.test\n' });
    const allow = await refuseWrites(test.services, 'Contact', 'INSERT');
    await runJob(importContactsJob, started.jobId);
    await allow();
    expect(await getContactImport.run(ctx, started)).toMatchObject({
      state: 'failed',
      failedReason: internal,
    });
  });

  it('fails with a reason: a bulk change whose contacts cannot be changed', async () => {
    const { ctx, id: projectId } = await createTestProject(test.services);
    await test.services.database.prisma.contact.create({
      data: { id: newId(), projectId, email: 'ann@a.test' },
    });
    const started = await bulkDeleteContacts.run(ctx, { mode: 'query', filter: {} });
    const allow = await refuseWrites(test.services, 'Contact', 'DELETE');
    await runJob(changeContactsJob, started.jobId);
    await allow();
    expect(await getContactBulkJob.run(ctx, started)).toMatchObject({
      state: 'failed',
      failedReason: internal,
    });
  });

  it('fails at once with the message of the rule that refuses it', async () => {
    const { ctx } = await createTestProject(test.services);
    const started = await startContactImport.run(ctx, { csv: 'email\nann@a.test\n' });
    let attempts = 0;
    const activities = {
      ...createContactActivities(test.services),
      importRows: () => {
        attempts += 1;
        return Promise.reject(
          conflict('The project is being deleted', { suggestion: suggestions.CONFLICT.mostProjects }),
        );
      },
    };
    await withWorker(environment, activities, () => executeJob(environment, importContactsJob, started));
    expect(attempts).toBe(1);
    expect(await getContactImport.run(ctx, started)).toMatchObject({
      state: 'failed',
      failedReason: 'The project is being deleted',
    });
  });
});
