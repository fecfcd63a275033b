import { type Sink, startSink } from '@postrider/local/sink';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ThreadPool } from '../../adapters/threads/thread-pool.ts';
import { type Services, ThreadsUnavailableError } from '../../base/kernel/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { sendEmail } from '../sending/send-email.ts';
import { withDelivery } from './delivery.fixture.ts';

let sink: Sink;
let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  sink = await startSink();
  test = await createTestServices({ env: { SMTP_URL: sink.url } });
}, 180_000);
afterAll(async () => {
  await test.close();
  await sink.stop();
});
beforeEach(async () => {
  sink.clear();
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'mail.test');
});

const send = (n: number) =>
  sendEmail.runRaw(project.ctx, {
    to: `${n}@people.test`,
    from: 'sender@mail.test',
    subject: `Number ${n}`,
    body: `<p>Your number is ${n}</p>`,
  });
const emails = () =>
  test.services.database.prisma.email.findMany({
    where: { projectId: project.id },
    select: { status: true, attempts: true, error: true },
  });
const batches = () =>
  test.services.database.prisma.deliveryBatch.findMany({ where: { projectId: project.id } });

/** Waits until each email has been given back for a pause since then, which may be over for the first when it begins for the last. */
function givenBack(count: number) {
  const since = new Date();
  return expect
    .poll(async () => (await batches()).filter((b) => b.token === null && b.nextAttemptAt > since).length, {
      timeout: 60_000,
    })
    .toBe(count);
}

const failing = (error: unknown): Services['threads'] => ({
  run: () => Promise.reject(error),
  isSlow: () => false,
  start: () => Promise.resolve(),
  wake: () => undefined,
  release: () => undefined,
  close: () => Promise.resolve(),
});

describe('email that cannot be composed for a reason outside of it', () => {
  it('is given back for a pause without an attempt when threads cannot load their module, and sent by a process that can', async () => {
    const threads = new ThreadPool({
      entry: new URL('./replaced-by-an-upgrade.ts', import.meta.url),
      data: { linksUrl: 'http://localhost', secret: 'a secret of this test alone', previousSecrets: [] },
      memoryMb: 64,
      owners: test.services.owners,
    });
    for (let n = 0; n < 5; n += 1) await send(n);
    await withDelivery({ ...test.services, threads }, sink.url, () => givenBack(5));
    await threads.close();
    expect(await emails()).toEqual(Array(5).fill({ status: 'PENDING', attempts: 0, error: null }));
    await withDelivery(test.services, sink.url, () =>
      expect
        .poll(async () => (await emails()).map(({ status }) => status), { timeout: 45_000 })
        .toEqual(Array(5).fill('SENT')),
    );
    expect(
      sink
        .messages()
        .map(({ to }) => to[0])
        .toSorted(),
    ).toEqual([0, 1, 2, 3, 4].map((n) => `${n}@people.test`));
  });

  it.each([
    [
      'the system starts no thread',
      new ThreadsUnavailableError(Object.assign(new Error('EAGAIN'), { code: 'EAGAIN' })),
    ],
    [
      'a file cannot be opened',
      new ThreadsUnavailableError(Object.assign(new Error('EMFILE'), { code: 'EMFILE' })),
    ],
  ])('is given back when %s', async (_what, error) => {
    await send(1);
    await withDelivery({ ...test.services, threads: failing(error) }, sink.url, () => givenBack(1));
    expect(await emails()).toEqual([{ status: 'PENDING', attempts: 0, error: null }]);
  });

  it('is given back when a column that it reads is gone, as under a newer schema', async () => {
    await send(1);
    const gone = Object.assign(new Error('column "limitedAt" does not exist'), { code: '42703' });
    const { durable } = test.services.database;
    const failing = new Proxy(durable, {
      get: (pool, name) =>
        name === 'query'
          ? (query: { name?: string }) =>
              query.name === 'content-by-id' ? Promise.reject(gone) : pool.query(query as never)
          : Reflect.get(pool, name),
    });
    const database = { ...test.services.database, durable: failing };
    await withDelivery({ ...test.services, database }, sink.url, () => givenBack(1));
    expect(await emails()).toEqual([{ status: 'PENDING', attempts: 0, error: null }]);
  });
});

it('email whose content makes a task fail is FAILED, and says no more than that', async () => {
  await send(1);
  await withDelivery(
    { ...test.services, threads: failing(new TypeError('x is not a function')) },
    sink.url,
    () =>
      expect
        .poll(async () => (await emails()).map(({ status }) => status), { timeout: 45_000 })
        .toEqual(['FAILED']),
  );
  expect((await emails())[0]?.error).toBe(
    'The message could not be created: an internal error, described in the log of this installation',
  );
});
