import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { foldStorage, getStorage } from './index.ts';
import { assertStorage } from './limits.ts';
import { storageByKind } from './storage.store.ts';

/** What projects store is counted by the statements that store it, and limited for their owner (behaviour B8.7). */
let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  test = await createTestServices({ env: { MAX_STORAGE_MB_PER_OWNER: '1' } });
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  await prisma().user.update({ where: { id: project.ownerId }, data: { emailVerified: true } });
});

const prisma = () => test.services.database.prisma;
const figures = async () => (await getStorage.run(project.ctx, { id: project.id })).byKind;

const upload = (size: number, projectId = project.id) =>
  prisma().upload.create({
    data: { id: newId(), projectId, key: newId(), filename: 'a.png', contentType: 'image/png', size },
  });

/** What the tables hold, read row by row. */
async function counted() {
  const [row] = await prisma().$queryRaw<Record<string, number>[]>`
    SELECT (SELECT coalesce(sum("size"), 0)::float8 FROM "Upload" WHERE "projectId" = ${project.id}::uuid) AS "images",
      (SELECT coalesce(sum(length("bytes")), 0)::float8 FROM "Blob" WHERE "projectId" = ${project.id}::uuid) AS "attachments",
      (SELECT coalesce(sum(length("bytes")), 0)::float8 FROM "JobFile" WHERE "projectId" = ${project.id}::uuid) AS "imports",
      (SELECT coalesce(sum(length(c."bytes")), 0)::float8 FROM "ExportChunk" c JOIN "Job" j ON j."id" = c."jobId"
        WHERE j."projectId" = ${project.id}::uuid) AS "exports"`;
  return row;
}

describe('the figures', () => {
  it('are those of the tables at any time: after writes, changes and removals, before and after they are folded', async () => {
    const kept = await upload(1_000);
    const gone = await upload(2_000);
    await prisma().upload.delete({ where: { id: gone.id } });
    const hash = Uint8Array.from(randomBytes(32));
    const bytes = Uint8Array.from(randomBytes(300));
    await prisma().blob.create({ data: { projectId: project.id, hash, size: 300, bytes } });
    const jobId = newId();
    await prisma().job.create({ data: { id: jobId, projectId: project.id, kind: 'export', input: {} } });
    for (const n of [0, 1])
      await prisma().exportChunk.create({ data: { jobId, n, bytes, projectId: project.id } });
    await prisma().jobFile.create({ data: { jobId, projectId: project.id, bytes } });
    const expected = { images: 1_000, attachments: 300, imports: 300, exports: 600 };
    expect(await counted()).toEqual(expected);
    expect(await figures()).toMatchObject(expected);

    await foldStorage(test.services);
    expect(await prisma().storageEntry.count({ where: { projectId: project.id } })).toBe(0);
    expect(await figures()).toMatchObject(expected);

    // The sweep clears attachments and keeps their rows; the chunks of an export go with its job.
    await prisma().blob.updateMany({ where: { projectId: project.id }, data: { bytes: null } });
    await prisma().job.delete({ where: { id: jobId } });
    await prisma().upload.delete({ where: { id: kept.id } });
    expect(await figures()).toMatchObject({ images: 0, attachments: 0, imports: 300, exports: 0 });
    await foldStorage(test.services);
    expect(await figures()).toMatchObject({ images: 0, attachments: 0, imports: 300, exports: 0 });
  });

  it('count contents and templates with their versions in bytes, and what retention clears no more', async () => {
    const types = { type: 'TRANSACTIONAL', sourceType: 'TRANSACTIONAL' } as const;
    const data = {
      ...types,
      ...{ id: newId(), projectId: project.id, hash: Uint8Array.from(randomBytes(32)) },
      ...{ subject: 'ä', body: 'x'.repeat(5_000) },
      ...{ from: 'a@example.com', projectName: 'P' },
    };
    await prisma().content.create({ data });
    expect((await figures()).contents).toBe(5_002);
    await prisma().content.update({ where: { id: data.id }, data: { body: null } });
    expect((await figures()).contents).toBe(2);
    await prisma().template.create({
      data: {
        id: newId(),
        projectId: project.id,
        name: 'T',
        subject: 'S',
        body: 'b'.repeat(100),
        from: 'a@example.com',
      },
    });
    expect((await figures()).templates).toBe(101);
  });

  it('count a design, which is stored compressed, with the same size when it comes and when it goes', async () => {
    const content = Array.from({ length: 500 }, (_, n) => ({ type: 'paragraph', text: 'Hello', n }));
    const { id } = await prisma().template.create({
      data: {
        ...{ id: newId(), projectId: project.id, name: 'T', subject: 'S', body: 'B', from: 'a@example.com' },
        design: { content },
      },
    });
    const before = (await figures()).templates;
    await prisma().template.update({ where: { id }, data: { name: 'Other' } });
    expect((await figures()).templates).toBe(before);
    await prisma().template.update({ where: { id }, data: { design: { content: content.slice(1) } } });
    expect((await figures()).templates).toBeLessThan(before);
    await prisma().template.delete({ where: { id } });
    expect((await figures()).templates).toBe(0);
  });

  it('of many statements at once are all added, once', async () => {
    await Promise.all([
      ...Array.from({ length: 40 }, () => upload(10)),
      foldStorage(test.services),
      foldStorage(test.services),
    ]);
    await Promise.all([foldStorage(test.services), foldStorage(test.services)]);
    expect((await storageByKind(prisma(), project.id)).get('images')).toBe(400);
  });

  it('of another project are refused', async () => {
    const other = await createTestProject(test.services);
    await expect(getStorage.run(project.ctx, { id: other.id })).rejects.toMatchObject({
      code: 'PROJECT_ACCESS_DENIED',
    });
  });
});

describe('the limit of an owner', () => {
  const megabyte = 1_048_576;

  it('counts all projects of a person; 50 writers at the limit exceed it by less than what each stores', async () => {
    const second = await createTestProject(test.services);
    await prisma().member.updateMany({ where: { projectId: second.id }, data: { userId: project.ownerId } });
    await upload(megabyte - 100_000, second.id);
    const write = async () => {
      await assertStorage(test.services, project.id, 10_000);
      await upload(10_000);
    };
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, write));
    const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(refused).toHaveLength(40);
    expect(refused[0]).toMatchObject({
      code: 'FORBIDDEN',
      details: { storage: { usedMb: 1, limitMb: 1 } },
    });
    const { owner } = await getStorage.run(project.ctx, { id: project.id });
    expect(owner).toEqual({ usedBytes: megabyte, limitBytes: megabyte });
  });

  it('is one for all owners without a proven address together', async () => {
    const strangers = [await createTestProject(test.services), await createTestProject(test.services)];
    await prisma().user.updateMany({
      where: { id: { in: strangers.map(({ ownerId }) => ownerId) } },
      data: { emailVerified: false },
    });
    const [first, second] = strangers;
    if (!first || !second) throw new Error('two projects');
    const before = (await getStorage.run(first.ctx, { id: first.id })).owner.usedBytes;
    await upload(5_000, second.id);
    expect((await getStorage.run(first.ctx, { id: first.id })).owner.usedBytes).toBe(before + 5_000);
    expect((await figures()).images).toBe(0);
  });
});
