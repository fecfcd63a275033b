import fc, { runs } from '@postrider/vitest/fast-check.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../../testing/index.ts';
import { getContactImport } from '../jobs/get-job.ts';
import { sweepJobs } from '../jobs/jobs.ts';
import { importOptOuts } from './import.store.ts';
import { listContactImports } from './list-imports.ts';
import { openFailedRows } from './open-failed-rows.ts';
import { runImport } from './run-import.ts';
import { startContactImport } from './start-import.ts';

let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
});

async function run(options: object, ctx = project.ctx) {
  const { jobId } = await startContactImport.runRaw(ctx, options);
  await runImport(test.services, jobId);
  return getContactImport.run(ctx, { jobId });
}

/** Everything that an import could change, besides jobs. */
async function stored(projectId: string) {
  const { prisma } = test.services.database;
  const where = { where: { projectId } };
  return {
    contacts: await prisma.contact.findMany({ ...where, orderBy: { email: 'asc' } }),
    events: await prisma.event.count(where),
    optOuts: await prisma.optOut.count(where),
    suppressions: await prisma.suppression.count(where),
    failed: await prisma.importFailedRows.count(where),
    touched: await prisma.touchedContact.count(where),
  };
}

describe('a dry run', () => {
  it('is listed, stores nothing, and its file can be imported for an hour with other options', async () => {
    const dry = await run({
      csv: Buffer.from('email;Name\na@a.test;J\xf6rg\nbad;x\n', 'latin1'),
      fileName: 'June.csv',
      dryRun: 'true',
      encoding: 'windows-1252',
    });
    expect(dry).toMatchObject({
      state: 'completed',
      progress: 100,
      result: { dryRun: true, createdCount: 1, failureCount: 1, encoding: 'windows-1252', separator: ';' },
    });
    expect(await stored(project.id)).toMatchObject({ contacts: [], events: 0, failed: 0 });
    await expect(openFailedRows(project.ctx, dry.id)).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    const real = await run({ from: dry.id, encoding: 'windows-1252', mapping: '{"Name":"data.first"}' });
    expect(real).toMatchObject({ state: 'completed', result: { dryRun: false, createdCount: 1 } });
    expect((await stored(project.id)).contacts).toMatchObject([
      { email: 'a@a.test', data: { first: 'Jörg' } },
    ]);
    const { data } = await listContactImports.runRaw(project.ctx, {});
    expect(data).toMatchObject([
      { id: real.id, fileName: 'June.csv', dryRun: false },
      { id: dry.id, fileName: 'June.csv', dryRun: true, unreadCount: 0 },
    ]);
    await sweepJobs(test.services, new Date(Date.now() + 61 * 60_000), 100);
    await expect(run({ from: dry.id })).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });

  it('that failed by the encoding of its file has it still', async () => {
    const dry = await run({ csv: Buffer.from('email,name\na@a.test,\xe4\n', 'latin1'), dryRun: true });
    expect(dry).toMatchObject({ state: 'failed', result: null });
    expect(await run({ from: dry.id, encoding: 'windows-1252' })).toMatchObject({
      result: { createdCount: 1 },
    });
  });

  it('of another project, an import, and an unknown one have no file', async () => {
    const other = await createTestProject(test.services);
    const dry = await run({ csv: 'email\na@a.test\n', dryRun: true }, other.ctx);
    const real = await run({ csv: 'email\na@a.test\n' });
    for (const from of [dry.id, real.id, newId()])
      await expect(run({ from })).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    expect(await test.services.database.prisma.jobFile.count({ where: { projectId: project.id } })).toBe(0);
  });

  it('that is interrupted begins anew, with the same result', async () => {
    const rows = Array.from({ length: 12_000 }, (_, n) => (n % 3 === 0 ? `bad${n}` : `n${n % 7_000}@a.test`));
    const { jobId } = await startContactImport.runRaw(project.ctx, {
      csv: `email\n${rows.join('\n')}`,
      dryRun: true,
    });
    let beats = 0;
    const stop = () => {
      beats += 1;
      if (beats === 3) throw new Error('the worker ended');
    };
    await expect(runImport(test.services, jobId, stop)).rejects.toThrow('the worker ended');
    await runImport(test.services, jobId);
    const { result } = await getContactImport.run(project.ctx, { jobId });
    expect(await stored(project.id)).toMatchObject({ contacts: [], failed: 0, touched: 0 });
    const real = await run({ from: jobId });
    expect({ ...result, dryRun: false }).toEqual(real.result);
  });

  it('finds the contact that becomes too large by two batches, as the import does', async () => {
    const filler = Array.from({ length: 5_000 }, (_, n) => `f${n}@a.test,\n`).join('');
    const csv = `email,a,b\nbig@a.test,${'x'.repeat(40_000)},\n${filler.replaceAll(',\n', ',,\n')}big@a.test,,${'y'.repeat(40_000)}\n`;
    const dry = await run({ csv, dryRun: true });
    const real = await run({ from: dry.id });
    expect(real.result).toMatchObject({ failureCount: 1, createdCount: 5_001 });
    expect({ ...dry.result, dryRun: false }).toEqual(real.result);
  });
});

it('the counts of a dry run are those of the import, for any file, and it changes nothing', async () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'bad one');
  const word = fc.constantFrom('yes', 'no', '', 'TRUE', 'perhaps', 'unsubscribed');
  const cell = fc.constantFrom('1', '2.50', 'x', '', '"q', '20.11.2026', 'a,b,c');
  const row = fc.tuple(name, word, cell, fc.constantFrom('', '2999-01-01', '2020-01-01'));
  const before = fc.dictionary(
    fc.constantFrom('a', 'b', 'c', 'd'),
    fc.constantFrom('in', 'out', 'own', 'paused', 'left'),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 12 }),
      before,
      fc.constantFrom('true', 'false', 'keep'),
      fc.constantFrom('contacts', 'contacts', 'optOuts', 'suppressions'),
      fc.constantFrom('email,subscribed,n,snoozedUntil', 'email,x,n,y'),
      async (rows, people, subscribed, kind, header) => {
        const { ctx, id: projectId } = await createTestProject(test.services);
        const { prisma } = test.services.database;
        for (const [key, state] of Object.entries(people)) {
          const email = `${key}@a.test`;
          if (state === 'left')
            await importOptOuts(prisma, test.services.secrets, projectId, [{ email, isFirst: true }], {
              ...{ actor: 'system', jobId: newId() },
            });
          else
            await prisma.contact.create({
              data: {
                id: newId(),
                projectId,
                email,
                subscribed: state === 'in',
                ...(state === 'own' && { optedOutAt: new Date() }),
                ...(state === 'paused' && { snoozedUntil: new Date('2999-01-01') }),
              },
            });
        }
        const csv = `${header}\n${rows.map(([key, ...cells]) => [`${key}@a.test`, ...cells].join(',')).join('\n')}\n`;
        const options = kind === 'contacts' ? { subscribed } : { kind };
        const earlier = await stored(projectId);
        const dry = await run({ csv, dryRun: true, ...options }, ctx);
        expect(await stored(projectId)).toEqual(earlier);
        const real = await run({ from: dry.id, ...options }, ctx);
        expect({ ...dry.result, dryRun: false }).toEqual(real.result);
        const {
          totalRows = 0,
          successCount = 0,
          failureCount = 0,
          createdCount = 0,
          updatedCount = 0,
        } = real.result ?? {};
        expect([successCount + failureCount, createdCount + updatedCount]).toEqual([totalRows, successCount]);
      },
    ),
    { numRuns: runs(20) },
  );
}, 120_000);
