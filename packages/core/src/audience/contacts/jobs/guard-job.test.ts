import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestProject, createTestServices, type TestServices } from '../../../testing/index.ts';
import { startContactImport } from '../imports/start-import.ts';
import { guardJob } from './guard-job.ts';
import { emptyImport, type ImportProgress } from './jobs.rules.ts';
import { saveProgress } from './jobs.store.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

const jobOf = (id: string) => test.services.database.prisma.job.findUniqueOrThrow({ where: { id } });

async function newJob(): Promise<string> {
  const project = await createTestProject(test.services);
  return (await startContactImport.run(project.ctx, { csv: 'email\na@a.test\n' })).jobId;
}

/** A run whose worker is lost: it never comes back. */
async function lose(jobId: string, before: () => Promise<void> = async () => undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    guardJob(test.services, jobId, undefined, async () => {
      await before();
      resolve();
      return new Promise(() => undefined);
    }).catch(reject);
  });
}

it('a job whose runs take their worker down twice fails with the reason, and runs no more', async () => {
  const jobId = await newJob();
  await lose(jobId);
  await lose(jobId);
  let runs = 0;
  const run = async () => {
    runs += 1;
    return 'more';
  };
  expect(await guardJob(test.services, jobId, 'ended', run)).toBe('ended');
  expect(await jobOf(jobId)).toMatchObject({
    state: 'failed',
    failedReason: 'The worker was lost 2 times in a row while it worked on this job',
  });
  expect(await guardJob(test.services, jobId, 'ended', run)).toBe('ended');
  expect(runs).toBe(0);
});

it('runs that fail with an error do not count, however often they are repeated', async () => {
  const jobId = await newJob();
  await lose(jobId);
  for (let n = 0; n < 5; n += 1) {
    const run = guardJob(test.services, jobId, null, () => Promise.reject(new Error('the database is away')));
    await expect(run).rejects.toThrow('away');
  }
  expect(await jobOf(jobId)).toMatchObject({ state: 'waiting', lostRuns: 1 });
});

it('a run that ends, or stores progress before it is lost, forgets the lost ones', async () => {
  const jobId = await newJob();
  const progress: ImportProgress = { ...emptyImport, totalRows: 1 };
  await lose(jobId);
  for (let n = 0; n < 4; n += 1)
    await lose(jobId, () => saveProgress(test.services.database.prisma, jobId, 1, progress));
  expect(await guardJob(test.services, jobId, 'ended', async () => 'more')).toBe('more');
  expect(await jobOf(jobId)).toMatchObject({ state: 'active', lostRuns: 0 });
});
