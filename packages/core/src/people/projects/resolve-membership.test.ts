import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createTestProject,
  createTestServices,
  createTestUser,
  type TestServices,
} from '../../testing/index.ts';
import { resolveMembership } from './index.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

it('returns the role and the state of the project', async () => {
  const project = await createTestProject(test.services);
  expect(await resolveMembership(test.services, project.ownerId, project.id)).toEqual({
    role: 'OWNER',
    project: project.project,
  });
});

it('is null for other users, unknown projects, invalid ids and deleted projects', async () => {
  const project = await createTestProject(test.services);
  const stranger = await createTestUser(test.services);
  expect(await resolveMembership(test.services, stranger, project.id)).toBeNull();
  expect(await resolveMembership(test.services, project.ownerId, stranger)).toBeNull();
  expect(await resolveMembership(test.services, project.ownerId, 'no-uuid')).toBeNull();
  await test.services.database.prisma.project.update({
    where: { id: project.id },
    data: { deletedAt: new Date() },
  });
  expect(await resolveMembership(test.services, project.ownerId, project.id)).toBeNull();
});
