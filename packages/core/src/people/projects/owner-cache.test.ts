import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { OwnerCache } from './owner-cache.ts';
import { ensureSystemProject, systemProjectId } from './system-project.ts';

let test: TestServices;
let project: TestProject;
let owners: OwnerCache;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  owners = new OwnerCache(test.services.database, test.services.log);
});

const prove = (emailVerified: boolean) =>
  test.services.database.prisma.user.update({ where: { id: project.ownerId }, data: { emailVerified } });

it('an owner counts as unproven until it is read', async () => {
  expect(owners.turnOf(project.id)).toEqual({ owner: project.id, isProven: false });
  await owners.known(project.id);
  expect(owners.turnOf(project.id)).toEqual({ owner: project.ownerId, isProven: true });
  expect(owners.known(project.id)).toBeNull();
});

it('an owner with an address that is not proven has a turn with all others of that kind', async () => {
  await prove(false);
  await owners.known(project.id);
  expect(owners.turnOf(project.id)).toEqual({ owner: project.ownerId, isProven: false });
});

it('owners that are asked for at the same time are read by one statement', async () => {
  const others = await Promise.all(Array.from({ length: 5 }, () => createTestProject(test.services)));
  const query = vi.spyOn(test.services.database.durable, 'query');
  await Promise.all(others.map(async ({ id }) => owners.known(id)));
  expect(query).toHaveBeenCalledTimes(1);
  query.mockRestore();
  expect(others.map(({ id }) => owners.turnOf(id).owner)).toEqual(others.map(({ ownerId }) => ownerId));
});

it('an owner is read again after a minute, and keeps its turn until then', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  await owners.known(project.id);
  await prove(false);
  vi.advanceTimersByTime(59_000);
  expect(owners.turnOf(project.id).isProven).toBe(true);
  vi.advanceTimersByTime(2_000);
  while (owners.turnOf(project.id).isProven) await new Promise(setImmediate);
  vi.useRealTimers();
});

it('the platform is an owner of its own, a project that does not exist is nobody’s, other keys are their own', async () => {
  await test.services.database.prisma.$transaction((db) => ensureSystemProject(db));
  const gone = newId();
  await Promise.all([systemProjectId, gone].map(async (id) => owners.known(id)));
  expect(owners.turnOf(systemProjectId)).toEqual({ owner: systemProjectId, isProven: true });
  expect(owners.turnOf(gone)).toEqual({ owner: gone, isProven: false });
  expect(owners.turnOf('reports')).toEqual({ owner: 'reports', isProven: true });
});

it('without the database an owner keeps its turn, and nothing waits for it', async () => {
  await owners.known(project.id);
  const pool = { query: () => Promise.reject(new Error('connect ECONNREFUSED')) };
  const away = new OwnerCache({ pool } as unknown as TestServices['services']['database'], test.services.log);
  await away.known(project.id);
  expect(away.turnOf(project.id)).toEqual({ owner: project.id, isProven: false });
  expect(away.known(project.id)).toBeNull();
});
