import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newKey } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { ensureDays, storedDays } from './days.store.ts';
import {
  getRequest,
  getRequestStats,
  listRequests,
  RequestLog,
  removeRequests,
  sweepRequestLog,
} from './index.ts';
import { type AnsweredRequest, queueBounds } from './request-log.ts';
import { dayMs, dayStart, sampleSize } from './requests.rules.ts';

let test: TestServices;
let project: TestProject;
let log: RequestLog;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  log = new RequestLog(test.services);
});

const request = (projectId: string, given: Partial<AnsweredRequest> = {}): AnsweredRequest => ({
  actor: { type: 'key', key: 'secret', projectId },
  key: newKey('secret', 'LIVE'),
  door: 'REST',
  method: 'POST',
  path: '/v1/send',
  operation: 'sending.send',
  status: 200,
  code: null,
  durationMs: 5,
  ip: '203.0.113.7',
  userAgent: 'curl/8.9.1',
  requestId: newId(),
  dryRun: false,
  details: () => ({ request: { subject: { length: 3 } }, response: null, emailIds: [] }),
  ...given,
});

const refused = { status: 422, code: 'VALIDATION_ERROR' };
const entries = async (input: Parameters<typeof listRequests.runRaw>[1] = {}) =>
  (await listRequests.runRaw(project.ctx, { limit: 100, ...(input as object) })).data;
const stats = async () => (await getRequestStats.run(project.ctx, {})).data;

/** Nothing of the log can be written while `work` runs. */
async function withLockedLog(work: () => Promise<void>): Promise<void> {
  const client = await test.services.database.durable.connect();
  try {
    await client.query('BEGIN; LOCK TABLE "RequestEntry", "RequestCount" IN ACCESS EXCLUSIVE MODE');
    await work();
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

describe('the request log', () => {
  it('has what was asked and answered, and finds it by each filter', async () => {
    const emailId = newId();
    const keyId = newId();
    const named = { id: keyId, name: 'Shop', scope: 'send' as const, domains: null };
    log.record(request(project.id, { actor: { type: 'key', key: 'secret', projectId: project.id, named } }));
    log.record(request(project.id, { ...refused, operation: 'contacts.upsert' }));
    log.record(
      request(project.id, { details: () => ({ request: null, response: null, emailIds: [emailId] }) }),
    );
    await log.settled();
    const all = await entries();
    expect(all).toHaveLength(3);
    expect(all.map(({ at }) => at)).toEqual(
      all
        .map(({ at }) => at)
        .sort()
        .reverse(),
    );
    expect((await entries({ status: '4xx' })).map(({ code }) => code)).toEqual(['VALIDATION_ERROR']);
    expect(await entries({ status: '200' })).toHaveLength(2);
    expect(await entries({ status: '404' })).toEqual([]);
    expect(await entries({ code: 'VALIDATION_ERROR', operation: 'contacts.upsert' })).toHaveLength(1);
    expect((await entries({ emailId })).map(({ emailIds }) => emailIds)).toEqual([[emailId]]);
    expect((await entries({ keyId })).map(({ credential }) => credential)).toEqual([
      { type: 'secret', id: keyId, label: 'Shop', prefix: expect.stringMatching(/^sk_[0-9a-f]{8}$/) },
    ]);
    expect(await entries({ to: '2026-01-01' })).toEqual([]);
    await expect(listRequests.runRaw(project.ctx, { status: '9xx' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    const [first] = all;
    expect(await getRequest.run(project.ctx, { id: first?.id ?? '' })).toEqual(first);
  });

  it('is read page by page', async () => {
    for (let n = 0; n < 5; n += 1) log.record(request(project.id));
    await log.settled();
    const ids: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await listRequests.run(project.ctx, { limit: 2, ...(cursor && { cursor }) });
      ids.push(...page.data.map(({ id }) => id));
      cursor = page.cursor;
    }
    expect(ids).toEqual((await entries()).map(({ id }) => id));
  });

  it('shows nothing of another project', async () => {
    log.record(request(project.id));
    await log.settled();
    const other = await createTestProject(test.services);
    const [own] = await entries();
    expect((await listRequests.run(other.ctx, {})).data).toEqual([]);
    expect((await getRequestStats.run(other.ctx, {})).data).toEqual([]);
    await expect(getRequest.run(other.ctx, { id: own?.id ?? '' })).rejects.toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
  });

  it('samples the first refused and accepted requests of a minute, and counts all of them', async () => {
    // Not at the end of a minute, in which a second sample would begin.
    const inTheSameMinute = Math.floor(Date.now() / 60_000);
    for (let n = 0; n < 200; n += 1) {
      log.record(request(project.id));
      log.record(request(project.id, refused));
    }
    if (Math.floor(Date.now() / 60_000) === inTheSameMinute) {
      await log.settled();
      for (let n = 0; n < 30; n += 1) log.record(request(project.id, refused));
      await log.settled();
      const all = await entries();
      const ofStatus = (status: number) => all.filter((entry) => entry.status === status);
      expect([ofStatus(200).length, ofStatus(422).length]).toEqual([sampleSize.accepted, sampleSize.refused]);
      const alike = (status: number) => ofStatus(status).reduce((sum, entry) => sum + entry.alike, 0);
      expect([alike(200), alike(422)]).toEqual([200 - sampleSize.accepted, 230 - sampleSize.refused]);
      expect((await stats()).map(({ status, count }) => [status, count])).toEqual([
        [200, 200],
        [422, 230],
      ]);
    }
    expect.hasAssertions();
  });

  it('adds up what two processes count at the same time', async () => {
    const second = new RequestLog(test.services);
    const operations = ['contacts.list', 'sending.send', 'events.track', null];
    for (let round = 0; round < 10; round += 1) {
      for (const [index, operation] of operations.entries()) {
        log.record(request(project.id, { operation, durationMs: 10 }));
        second.record(request(project.id, { operation: operations[3 - index] ?? null, durationMs: 10 }));
      }
      await Promise.all([log.settled(), second.settled()]);
    }
    const counted = await stats();
    const sum = (operation: string | null) =>
      counted.filter((row) => row.operation === operation).reduce((total, { count }) => total + count, 0);
    expect(operations.map(sum)).toEqual([20, 20, 20, 20]);
    expect(new Set(counted.map(({ p95Ms }) => p95Ms))).toEqual(new Set([12]));
    expect(log.dropped + second.dropped).toBe(0);
  });

  it('holds nothing up and stays small while the database does not answer, and writes what it has kept afterwards', async () => {
    const others = Array.from({ length: 100 }, newId);
    let waiting = Promise.resolve();
    await withLockedLog(async () => {
      log.record(request(project.id, refused));
      waiting = log.settled();
      const large = { text: 'x'.repeat(4_000) };
      for (const id of others)
        for (let n = 0; n < sampleSize.refused; n += 1)
          log.record(
            request(id, { ...refused, details: () => ({ request: large, response: null, emailIds: [] }) }),
          );
      expect(log.size.entries).toBeLessThanOrEqual(queueBounds.entries);
      expect(log.size.bytes).toBeLessThan(queueBounds.bytes + 10_000);
      expect(log.dropped).toBeGreaterThan(0);
    });
    await waiting;
    await log.settled();
    expect(await entries()).toHaveLength(1);
    expect(log.size).toEqual({ entries: 0, bytes: 0 });
  });

  it('writes on when the table of its day is dropped', async () => {
    log.record(request(project.id));
    await log.settled();
    const { durable } = test.services.database;
    const day = new Date().toISOString().slice(0, 10).replaceAll('-', '');
    await durable.query(`DROP TABLE "RequestEntry_${day}", "RequestCount_${day}"`);
    log.record(request(project.id));
    await log.settled();
    expect(await entries()).toHaveLength(1);
    expect(await stats()).toMatchObject([{ count: 1 }]);
    expect(log.dropped).toBe(0);
  });

  it('drops the tables of days that are over, and of the oldest ones while all are too large', async () => {
    const { services } = test;
    const today = dayStart(Date.now());
    const ages = [0, 1, 6, 7, 8, 30];
    await ensureDays(
      services.database,
      ages.map((age) => today - age * dayMs),
    );
    const ageOf = ({ day }: { day: number }) => (today - day) / dayMs;
    const kept = async () => (await storedDays(services.database)).map(ageOf);
    expect(await kept()).toEqual([30, 8, 7, 6, 1, 0]);
    expect(await sweepRequestLog(services, new Date())).toBe(2);
    expect(await kept()).toEqual([7, 6, 1, 0]);
    expect(await sweepRequestLog(services, new Date())).toBe(0);
    const small = { ...services, config: { ...services.config, REQUEST_LOG_MAX_MB: 0.01 } };
    await sweepRequestLog(small, new Date());
    expect(await kept()).toEqual([0]);
  });

  it('writes no entries into a day that alone is too large, and goes on counting', async () => {
    const services = { ...test.services, config: { ...test.services.config, REQUEST_LOG_MAX_MB: 0.000_001 } };
    await ensureDays(services.database, [dayStart(Date.now())]);
    const full = new RequestLog(services);
    full.record(request(project.id));
    await full.settled();
    full.record(request(project.id));
    await full.settled();
    expect(await entries()).toHaveLength(1);
    expect(full.dropped).toBe(1);
    expect(await stats()).toMatchObject([{ count: 2 }]);
  });

  it('keeps nothing when it is off', async () => {
    const off = new RequestLog({
      ...test.services,
      config: { ...test.services.config, REQUEST_LOG_DAYS: 0 },
    });
    off.record(request(project.id));
    await off.settled();
    expect(await entries()).toEqual([]);
  });

  it('writes nothing of a project that has been deleted', async () => {
    const { prisma } = test.services.database;
    await prisma.project.update({ where: { id: project.id }, data: { deletedAt: new Date() } });
    log.record(request(project.id));
    await log.settled();
    expect([await entries(), await stats()]).toEqual([[], []]);
  });

  it('is removed with its project and leaves the rows of others', async () => {
    const neighbour = await createTestProject(test.services);
    await ensureDays(test.services.database, [dayStart(Date.now()) - dayMs]);
    for (let n = 0; n < 10; n += 1) for (const id of [project.id, neighbour.id]) log.record(request(id));
    await log.settled();
    const { prisma } = test.services.database;
    // Rows of two days, whose places in their tables are the same.
    await prisma.$executeRaw`
      INSERT INTO "RequestEntry" SELECT (jsonb_populate_record(e, jsonb_build_object('at', e."at" - interval '1 day'))).*
      FROM "RequestEntry" e WHERE e."at" >= ${new Date(dayStart(Date.now()))}`;
    while ((await removeRequests(prisma, project.id)) > 0);
    expect([await entries(), await stats()]).toEqual([[], []]);
    expect((await listRequests.run(neighbour.ctx, { limit: 100 })).data).toHaveLength(20);
  });

  it('refuses a period of more than a week', async () => {
    await expect(
      getRequestStats.run(project.ctx, { from: '2026-01-01', to: '2026-01-31' }),
    ).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });
});
