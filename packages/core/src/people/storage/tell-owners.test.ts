import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { platformMailTo } from '../../testing/mail.ts';
import { foldStorage } from './index.ts';

/** Owners are told once when they come near their storage limit, and once at it (behaviour B8.7). */
let test: TestServices;
let project: TestProject;
let owner: { email: string };
beforeAll(async () => {
  test = await createTestServices({ env: { MAX_STORAGE_MB_PER_OWNER: '10' } });
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  owner = await prove(project.ownerId, true);
});

const prisma = () => test.services.database.prisma;
const megabyte = 1_048_576;

const prove = (id: string, emailVerified: boolean) =>
  prisma().user.update({ where: { id }, data: { emailVerified } });

/** Makes a project store so many MB, and folds. */
async function store(megabytes: number, projectId = project.id): Promise<void> {
  await prisma().upload.deleteMany({ where: { projectId } });
  if (megabytes > 0)
    await prisma().upload.create({
      data: {
        ...{ id: newId(), projectId, key: newId(), filename: 'a.png', contentType: 'image/png' },
        size: megabytes * megabyte,
      },
    });
  await foldStorage(test.services);
}

const subjects = async (email = owner.email) =>
  (await platformMailTo(test.services, email)).map(({ subject }) => subject);
const near = '80% of your storage limit is reached';
const full = 'Your storage limit is reached';

describe('the owner', () => {
  it('gets one email at 80 %, one at 100 %, and none while use stays there', async () => {
    await store(7);
    expect(await subjects()).toEqual([]);
    await store(8);
    await foldStorage(test.services);
    await store(9);
    expect(await subjects()).toEqual([near]);
    await store(10);
    await store(11);
    expect(await subjects()).toEqual([near, full]);
  });

  it('is told of a part again only after use was 10 points below it', async () => {
    await store(10);
    expect(await subjects()).toEqual([full]);
    await store(9);
    await store(10);
    expect(await subjects()).toEqual([full]);
    await store(8);
    await store(10);
    expect(await subjects()).toEqual([full, full]);
    await store(8);
    await store(7);
    await store(8);
    expect(await subjects()).toEqual([full, full]);
    await store(6);
    await store(8);
    expect(await subjects()).toEqual([full, full, near]);
    await store(0);
    await store(8);
    expect(await subjects()).toEqual([full, full, near, near]);
  });

  it('gets one email from folds at the same time', async () => {
    await prisma().upload.create({
      data: {
        ...{ id: newId(), projectId: project.id, key: newId(), filename: 'a.png', contentType: 'image/png' },
        size: 8 * megabyte,
      },
    });
    await Promise.all(Array.from({ length: 6 }, () => foldStorage(test.services)));
    expect(await subjects()).toEqual([near]);
  });

  it('is told of all projects together, in the own language, with a link to the one that stores most', async () => {
    const second = await createTestProject(test.services);
    await prisma().member.updateMany({ where: { projectId: second.id }, data: { userId: project.ownerId } });
    await prisma().user.update({ where: { id: project.ownerId }, data: { language: 'de' } });
    await store(3);
    await store(5, second.id);
    const [mail, ...others] = await platformMailTo(test.services, owner.email);
    expect([mail?.subject, others]).toEqual(['80 % Ihres Speicherlimits sind erreicht', []]);
    expect(mail?.body).toContain(`/p/${second.id}/settings"`);
    expect(mail?.body).toContain('8\u00a0MB von 10\u00a0MB');
  });

  it('of an address that is not proven gets none, until it is', async () => {
    await prove(project.ownerId, false);
    await store(20);
    expect(await subjects()).toEqual([]);
    await prove(project.ownerId, true);
    await foldStorage(test.services);
    expect(await subjects()).toEqual([full]);
  });
});

it('nobody is told where the installation sets no limit', async () => {
  const open = await createTestServices();
  const someone = await createTestProject(open.services);
  const user = { where: { id: someone.ownerId }, data: { emailVerified: true } };
  const { email } = await open.services.database.prisma.user.update(user);
  await open.services.database.prisma.storageUsage.create({
    data: { projectId: someone.id, kind: 'images', bytes: 5_000 * megabyte },
  });
  await foldStorage(open.services);
  expect(await platformMailTo(open.services, email)).toEqual([]);
  await open.close();
});
