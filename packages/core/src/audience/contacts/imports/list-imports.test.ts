import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestProject, createTestServices, type TestServices } from '../../../testing/index.ts';
import { listContactImports } from './list-imports.ts';
import { runImport } from './run-import.ts';
import { startContactImport } from './start-import.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

it('the imports of a project, newest first, with file, author and counts', async () => {
  const project = await createTestProject(test.services);
  const owner = await project.userCtx('OWNER');
  const { email } = await test.services.database.prisma.user.findUniqueOrThrow({
    where: { id: project.ownerId },
  });
  const started: string[] = [];
  const start = async (ctx: typeof owner, input: Record<string, unknown>) => {
    const { jobId } = await startContactImport.runRaw(ctx, input);
    started.unshift(jobId);
    return jobId;
  };
  const june = { csv: 'email\na@a.test\nb@a.test\nno\n', fileName: 'June.csv' };
  await runImport(test.services, await start(owner, june));
  await runImport(test.services, await start(owner, { csv: 'email\na@a.test\n', fileName: 'again.csv' }));
  await runImport(test.services, await start(project.ctx, { csv: 'post\n' }));
  await start(project.ctx, { csv: 'email\nc@a.test\n', fileName: '' });

  const { data, total } = await listContactImports.runRaw(owner, {});
  expect(data.map(({ id }) => id)).toEqual(started);
  expect(total).toBe(4);
  const user = { type: 'user', id: project.ownerId, label: email };
  const key = { type: 'key', id: null, label: 'Secret key' };
  const ended = { completedAt: expect.any(String), author: user };
  expect(data).toMatchObject([
    { state: 'waiting', fileName: null, author: key, totalRows: null, createdCount: 0, completedAt: null },
    {
      state: 'failed',
      fileName: null,
      author: key,
      failedReason: 'The header has no column "email", but "post"',
    },
    { ...ended, state: 'completed', fileName: 'again.csv', totalRows: 1, createdCount: 0, updatedCount: 1 },
    { ...ended, state: 'completed', fileName: 'June.csv', totalRows: 3, createdCount: 2, failureCount: 1 },
  ]);

  const first = await listContactImports.runRaw(owner, { limit: 3 });
  const rest = await listContactImports.runRaw(owner, { limit: 3, cursor: first.cursor });
  expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(started);
  expect(rest).toMatchObject({ hasMore: false, total: 0 });
  const other = await createTestProject(test.services);
  expect(await listContactImports.runRaw(other.ctx, {})).toMatchObject({ data: [], total: 0 });
});
