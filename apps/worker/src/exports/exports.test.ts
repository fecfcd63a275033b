import { newId } from '@postrider/core/base/lib';
import { exportRecordsJob, getExport, openExportFile, startExport } from '@postrider/core/insight/exports';
import {
  createTestProject,
  createTestServices,
  refuseWrites,
  type TestServices,
} from '@postrider/core/testing';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { executeJob } from '../testing/jobs.ts';
import { createTimeSkippingEnvironment, withWorker } from '../testing/time-skipping.ts';
import { createExportActivities } from './exports.activities.ts';

let test: TestServices;
let environment: TestWorkflowEnvironment;

beforeAll(async () => {
  [test, environment] = await Promise.all([createTestServices(), createTimeSkippingEnvironment()]);
}, 300_000);
afterAll(async () => {
  await environment.teardown();
  await test.close();
});

const runJob = (jobId: string, times = 1) =>
  withWorker(environment, createExportActivities(test.services), async () => {
    for (let time = 0; time < times; time += 1) await executeJob(environment, exportRecordsJob, { jobId });
  });

it('an export runs to its end, and starting it again changes nothing', async () => {
  const { ctx, id: projectId } = await createTestProject(test.services);
  const data = { note: 'x'.repeat(20_000) };
  await test.services.database.prisma.contact.createMany({
    data: Array.from({ length: 250 }, (_, n) => ({ id: newId(), projectId, email: `n${n}@a.test`, data })),
  });
  const { id: jobId } = await startExport.run(ctx, { type: 'contacts' });
  await runJob(jobId, 2);
  expect(await getExport.run(ctx, { jobId })).toMatchObject({
    state: 'completed',
    progress: 100,
    result: { rows: 250 },
  });
  let text = '';
  for await (const bytes of (await openExportFile(ctx, jobId)).chunks) text += bytes.toString();
  expect(new Set(text.match(/n\d+@a\.test/g)).size).toBe(250);
  expect(await test.services.database.prisma.exportChunk.count({ where: { jobId } })).toBeGreaterThan(1);
});

it('an export that cannot be stored fails with a reason', async () => {
  const { ctx } = await createTestProject(test.services);
  const { id: jobId } = await startExport.run(ctx, { type: 'suppressions' });
  const allow = await refuseWrites(test.services, 'ExportChunk', 'INSERT');
  await runJob(jobId);
  await allow();
  expect(await getExport.run(ctx, { jobId })).toMatchObject({
    state: 'failed',
    failedReason: 'An unexpected error occurred. Start it again',
  });
});
