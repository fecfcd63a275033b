import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestProject, createTestServices, type TestServices } from '../../testing/index.ts';
import { listenToChannel } from '../db/index.ts';
import { newId } from '../lib/index.ts';
import { executionsChannel } from './notify-executions.ts';
import { createFollowUpScheduler } from './schedule-follow-ups.ts';

let test: TestServices;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

it('runs at once, and once more for all calls within the window', async () => {
  const { database } = test.services;
  const { project } = await createTestProject(test.services);
  const { id: projectId } = project;
  await database.prisma.eventInterest.create({ data: { projectId, name: 'signup', sourceId: newId() } });
  const contactId = newId();
  await database.prisma.contact.create({ data: { id: contactId, projectId, email: 'ann@people.test' } });
  await database.prisma.event.create({ data: { id: newId(), projectId, contactId, name: 'signup' } });

  const told: number[] = [];
  const stopping = new AbortController();
  const listening = new Promise<void>((resolve) => {
    void listenToChannel({
      url: test.services.config.DATABASE_URL,
      channel: executionsChannel,
      onPayload: (payload) => payload === projectId && told.push(performance.now()),
      onListening: resolve,
      log: test.services.log,
      stopped: stopping.signal,
    });
  });
  await listening;
  const onError = vi.fn();
  const announce = createFollowUpScheduler(database.asyncCommit, { signalDebounced: vi.fn() }, onError);
  for (let n = 0; n < 20; n += 1) announce(projectId);
  await expect.poll(() => told).toHaveLength(2);
  const [first = 0, second = 0] = told;
  expect(second - first).toBeGreaterThan(20);
  // Without further calls it does not run again.
  await new Promise((resolve) => setTimeout(resolve, 250));
  expect(told).toHaveLength(2);
  expect(onError).not.toHaveBeenCalled();
  stopping.abort();
});

it('signals nothing when nothing is pending', async () => {
  const { project } = await createTestProject(test.services);
  const signalDebounced = vi.fn();
  createFollowUpScheduler(test.services.database.asyncCommit, { signalDebounced }, vi.fn())(project.id);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(signalDebounced).not.toHaveBeenCalled();
});
