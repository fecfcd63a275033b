import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import { sendingCampaign, type TestProject, waitingMail } from '../../testing/index.ts';
import { postgresVersions } from '../../testing/test-database.ts';
import { claimBatches, releaseUnread } from './claim.store.ts';
import { openTestLedger, type TestLedger } from './ledger.fixture.ts';
import { readBatches } from './read.store.ts';

describe.each(await postgresVersions())('claims on PostgreSQL (%s)', (postgres) => {
  let ledger: TestLedger;
  let project: TestProject;

  beforeAll(async () => {
    ledger = await openTestLedger(postgres);
  });
  afterAll(() => ledger.close());
  beforeEach(async () => {
    project = await ledger.newProject();
  });

  const waiting = (options: Parameters<typeof waitingMail>[2]) =>
    waitingMail(ledger.test.services, project.id, options);
  const idsOf = (held: { emails: { id: string }[] }[]) =>
    held.flatMap(({ emails }) => emails.map(({ id }) => id));
  const prisma = () => ledger.test.services.database.prisma;

  it('give every waiting email to exactly one of many claims at once', async () => {
    const emails = await waiting({ count: 200 });
    const ids: string[] = [];
    // A claim that finds the bucket of the project locked gets nothing and asks again.
    while (ids.length < emails.length) {
      const claims = await Promise.all(
        Array.from({ length: 8 }, () => ledger.take(project.id, { maxEmails: 30 })),
      );
      ids.push(...claims.flatMap(idsOf));
    }
    expect(ids.toSorted()).toEqual(emails.map(({ id }) => id).toSorted());
  });

  it('serve many projects in one statement', async () => {
    const others = await Promise.all(Array.from({ length: 5 }, () => ledger.newProject()));
    for (const { id } of others) await waitingMail(ledger.test.services, id, { count: 2 });
    const claim = await ledger.claim(
      others.map(({ id }) => id),
      { maxEmails: 1 },
    );
    expect(claim.batches.map(({ projectId }) => projectId).toSorted()).toEqual(
      others.map(({ id }) => id).toSorted(),
    );
    expect(claim.projects).toEqual(others.map(({ id }) => ({ projectId: id, more: true, tokensInMs: null })));
    const rest = await ledger.claim(others.map(({ id }) => id));
    expect(rest.batches.length).toBe(5);
    expect(rest.projects).toEqual(others.map(({ id }) => ({ projectId: id, more: false, tokensInMs: null })));
  });

  it('take email that people wait for before that of workflows, and that of campaigns only in bulk', async () => {
    const campaignId = await sendingCampaign(ledger.test.services, project.id);
    const bulk = await waiting({ count: 3, campaignId });
    const [slow] = await waiting({ count: 1 });
    await prisma().deliveryBatch.update({ where: { id: slow?.batchId ?? '' }, data: { priority: 2 } });
    const [urgent] = await waiting({ count: 1 });
    expect(await ledger.take(project.id, { kind: 'bulk' })).toEqual([]);
    expect(idsOf(await ledger.take(project.id, { maxEmails: 1 }))).toEqual([urgent?.id]);
    expect(idsOf(await ledger.take(project.id))).toEqual([slow?.id]);
    expect(idsOf(await ledger.take(project.id, { kind: 'bulk' }))).toEqual(bulk.map(({ id }) => id));
  });

  it('take the retries of campaigns that a process of an earlier version wrote', async () => {
    const campaignId = await sendingCampaign(ledger.test.services, project.id);
    const [retry] = await waiting({ count: 1, campaignId });
    await prisma().deliveryBatch.update({ where: { id: retry?.batchId ?? '' }, data: { priority: 3 } });
    expect(idsOf(await ledger.take(project.id, { kind: 'bulk' }))).toEqual([retry?.id]);
  });

  describe('retries', () => {
    /** Emails whose retry is due, longer than any first attempt. */
    const retries = async (options: Parameters<typeof waiting>[0]) => {
      const emails = await waiting(options);
      await prisma().deliveryBatch.updateMany({
        where: { id: { in: emails.map(({ batchId }) => batchId) } },
        data: { again: true, nextAttemptAt: new Date(Date.now() - 3_600_000) },
      });
      return new Set(emails.map(({ id }) => id));
    };

    it.each([
      { kind: 'direct' as const, batchSize: 1 },
      { kind: 'bulk' as const, batchSize: 4 },
    ])('get a fifth of each claim while first attempts of their level are due ($kind)', async (of) => {
      const campaignId = of.kind === 'bulk' ? await sendingCampaign(ledger.test.services, project.id) : null;
      const later = await retries({ count: 100, campaignId, batchSize: of.batchSize });
      await waiting({ count: 64, campaignId, batchSize: of.batchSize });
      for (let claims = 0; claims < 4; claims += 1) {
        const ids = idsOf(await ledger.take(project.id, { kind: of.kind, maxEmails: 20 }));
        expect(ids.length).toBe(20);
        expect(ids.filter((id) => later.has(id)).length).toBe(4);
      }
      const rest = idsOf(await ledger.take(project.id, { kind: of.kind, maxEmails: 20 }));
      expect(rest.filter((id) => later.has(id)).length).toBe(20);
    });

    it('that are more than a fifth of a claim together get it as a chance', async () => {
      const campaignId = await sendingCampaign(ledger.test.services, project.id);
      const later = await retries({ count: 600, campaignId, batchSize: 10 });
      await waiting({ count: 2_000, campaignId, batchSize: 10 });
      let claimed = 0;
      for (let claims = 0; claims < 100; claims += 1) {
        const ids = idsOf(await ledger.take(project.id, { kind: 'bulk', maxEmails: 20 }));
        claimed += ids.filter((id) => later.has(id)).length;
      }
      // 40 of 100 drawn claims are expected, and the standard deviation is 5.
      expect(claimed / 10).toBeGreaterThan(10);
      expect(claimed / 10).toBeLessThan(70);
    });

    it('of transactional email wait for new email, however long they are due', async () => {
      await retries({ count: 50, batchSize: 1 });
      const fresh = await waiting({ count: 8, batchSize: 1 });
      const ids = idsOf(await ledger.take(project.id, { maxEmails: 10 }));
      expect(fresh.filter(({ id }) => ids.includes(id)).length).toBe(8);
    });

    it('that are not due are not read, however many wait', async () => {
      await waiting({ count: 1, batchSize: 1 });
      await prisma().$executeRaw`
        INSERT INTO "DeliveryBatch" ("id", "projectId", "priority", "again", "nextAttemptAt", "emailIds")
        SELECT uuid7(), ${project.id}::uuid, p, true, now() + interval '1 hour', ARRAY[uuid7()]
        FROM generate_series(1, 3000), unnest('{1,4}'::int[]) AS p`;
      const read = (kind: 'direct' | 'bulk') =>
        ledger.use(async (client) => {
          const reads = async () => {
            await client.query('SELECT pg_stat_force_next_flush()');
            const { rows } = await client.query<{ count: string }>(
              `SELECT idx_tup_read AS count FROM pg_stat_user_indexes WHERE indexrelname = 'DeliveryBatch_waiting'`,
            );
            return Number(rows[0]?.count);
          };
          const before = await reads();
          await claimBatches(client, {
            projects: [{ projectId: project.id, maxEmails: 100 }],
            kind,
            token: newId(),
            worker: 'test',
            leaseMs: 60_000,
            defaultRate: 1_000,
          });
          return (await reads()) - before;
        });
      expect(await read('direct')).toBeGreaterThan(0);
      expect(await read('direct')).toBeLessThan(20);
      expect(await read('bulk')).toBeLessThan(20);
    });
  });

  it('take the longest due first', async () => {
    const emails = await waiting({ count: 3 });
    for (const [index, { batchId }] of emails.entries()) {
      const nextAttemptAt = new Date(Date.now() - index * 60_000);
      await prisma().deliveryBatch.update({ where: { id: batchId }, data: { nextAttemptAt } });
    }
    const order = [];
    for (let taken = 0; taken < 3; taken += 1)
      order.push(...idsOf(await ledger.take(project.id, { maxEmails: 1 })));
    expect(order).toEqual(emails.map(({ id }) => id).toReversed());
  });

  it('leave email that is not due yet', async () => {
    const [later] = await waiting({ count: 1 });
    await prisma().deliveryBatch.update({
      where: { id: later?.batchId ?? '' },
      data: { nextAttemptAt: new Date(Date.now() + 60_000) },
    });
    const claim = await ledger.claim(project.id);
    expect(claim).toEqual({
      batches: [],
      projects: [{ projectId: project.id, more: false, tokensInMs: null }],
    });
  });

  it('split a batch larger than what may be claimed, and lose none of its emails', async () => {
    const campaignId = await sendingCampaign(ledger.test.services, project.id);
    const emails = await waiting({ count: 10, campaignId });
    const first = await ledger.take(project.id, { kind: 'bulk', maxEmails: 4 });
    expect(idsOf(first)).toEqual(emails.slice(0, 4).map(({ id }) => id));
    expect(first[0]?.batch.total).toBe(4);
    const second = await ledger.take(project.id, { kind: 'bulk' });
    expect(idsOf(second)).toEqual(emails.slice(4).map(({ id }) => id));
    await first[0]?.settle({ outcome: 'sent' });
    await second[0]?.settle({ outcome: 'sent' });
    expect(await prisma().email.count({ where: { campaignId, status: 'SENT' } })).toBe(10);
    expect(await prisma().deliveryBatch.count({ where: { campaignId } })).toBe(0);
  });

  describe('the sending rate', () => {
    const setTokens = (tokens: number, later = '0 seconds') =>
      ledger.use((client) =>
        client.query(
          `INSERT INTO "SendBucket" ("projectId", "tokens", "updatedAt") VALUES ($1, $2, clock_timestamp() + $3::interval)
           ON CONFLICT ("projectId") DO UPDATE SET "tokens" = $2, "updatedAt" = clock_timestamp() + $3::interval`,
          [project.id, tokens, later],
        ),
      );

    it('limits claims, and tokens of a claim are not returned', async () => {
      await waiting({ count: 50 });
      const first = await ledger.take(project.id, { rate: 10 });
      expect(first.length).toBe(10);
      for (const held of first) await held.settle({ outcome: 'giveback' });
      const second = await ledger.claim(project.id, { rate: 10 });
      expect(second.batches.length).toBeLessThan(10);
      expect(second.projects).toEqual([
        { projectId: project.id, more: true, tokensInMs: expect.any(Number) },
      ]);
    });

    it('of a project overrides the default', async () => {
      await prisma().project.update({ where: { id: project.id }, data: { sendRate: 3 } });
      await waiting({ count: 5 });
      expect((await ledger.take(project.id)).length).toBe(3);
    });

    it('leaves a fifth to direct email, which goes first', async () => {
      const campaignId = await sendingCampaign(ledger.test.services, project.id);
      await waiting({ count: 100, campaignId, batchSize: 10 });
      const bulk = await ledger.take(project.id, { kind: 'bulk', rate: 50 });
      expect(idsOf(bulk).length).toBe(40);
      await waiting({ count: 10 });
      expect(await ledger.take(project.id, { kind: 'bulk', rate: 50 })).toEqual([]);
      expect(idsOf(await ledger.take(project.id, { rate: 50 })).length).toBe(10);
    });

    it('keeps batches of campaigns whole while they fit into the bucket', async () => {
      const campaignId = await sendingCampaign(ledger.test.services, project.id);
      await waiting({ count: 50, campaignId });
      // Counted a little after now, so that the bucket does not fill while this machine is busy.
      await setTokens(60, '0.9 seconds');
      const claim = await ledger.claim(project.id, { kind: 'bulk', rate: 100 });
      expect(claim.batches).toEqual([]);
      const tokensInMs = claim.projects[0]?.tokensInMs ?? 0;
      expect(tokensInMs).toBeGreaterThan(50);
      expect(tokensInMs).toBeLessThan(110);
    });

    it('splits batches of campaigns that never fit into the bucket', async () => {
      const campaignId = await sendingCampaign(ledger.test.services, project.id);
      await waiting({ count: 50, campaignId });
      const held = await ledger.take(project.id, { kind: 'bulk', rate: 10 });
      expect(idsOf(held).length).toBe(8);
    });

    it('is reached within 2 % by claims that wait as long as they are asked to', async () => {
      await waiting({ count: 700, batchSize: 1 });
      await setTokens(0);
      const rate = 300;
      const started = performance.now();
      let claimed = 0;
      while (performance.now() - started < 2_000) {
        const { batches, projects } = await ledger.claim(project.id, { rate });
        claimed += batches.length;
        await new Promise((resolve) => setTimeout(resolve, projects[0]?.tokensInMs ?? 1));
      }
      const { tokens, updatedAt } = await prisma().sendBucket.findUniqueOrThrow({
        where: { projectId: project.id },
      });
      const counted = claimed + tokens;
      const seconds = (updatedAt.getTime() - (Date.now() - (performance.now() - started))) / 1_000;
      expect(counted / (rate * seconds)).toBeGreaterThan(0.98);
      expect(counted / (rate * seconds)).toBeLessThan(1.02);
    });
  });

  describe('a claim whose commit is unknown', () => {
    it('is released at once by its own worker, and by no other', async () => {
      const [email] = await waiting({ count: 1 });
      const known = await ledger.claim(project.id, { worker: 'a' });
      const token = known.batches[0]?.token ?? '';
      expect(await ledger.use((client) => releaseUnread(client, 'b', []))).toBe(0);
      expect(await ledger.use((client) => releaseUnread(client, 'a', [token]))).toBe(0);
      expect(await ledger.use((client) => releaseUnread(client, 'a', [newId()]))).toBe(1);
      expect(idsOf(await ledger.take(project.id))).toEqual([email?.id]);
    });

    it('is not released when something of it has begun', async () => {
      await waiting({ count: 1 });
      const [held] = await ledger.take(project.id, { worker: 'a' });
      await held?.begin({ n: 0 });
      expect(await ledger.use((client) => releaseUnread(client, 'a', []))).toBe(0);
    });
  });

  it('are read afterwards with what has been committed by then', async () => {
    const campaignId = await sendingCampaign(ledger.test.services, project.id);
    const [first, second, third] = await waiting({ count: 3, campaignId });
    const { batches } = await ledger.claim(project.id, { kind: 'bulk' });
    await prisma().campaign.update({ where: { id: campaignId }, data: { status: 'CANCELLED' } });
    await prisma().suppression.create({
      data: { projectId: project.id, email: first?.to ?? '', reason: 'BOUNCE' },
    });
    await prisma().contact.update({
      where: { id: second?.contactId ?? '' },
      data: { subscribed: false, consentSeq: 1n, data: { plan: 'a\u001fb' } },
    });
    await prisma().email.update({
      where: { id: third?.id ?? '' },
      data: { batchId: null, status: 'SKIPPED' },
    });
    const [batch] = await ledger.use((client) => readBatches(client, batches));
    expect(batch).toMatchObject({
      campaignStatus: 'CANCELLED',
      total: 3,
      stopped: false,
      projectDisabled: false,
    });
    expect(batch?.leaseLeftMs).toBeGreaterThan(50_000);
    expect(batch?.emails).toMatchObject([
      {
        n: 0,
        id: first?.id,
        to: first?.to,
        contactEmail: first?.to,
        suppressed: true,
        contactSubscribed: true,
      },
      {
        n: 1,
        id: second?.id,
        suppressed: false,
        outsideSandbox: false,
        contactSubscribed: false,
        contactData: { plan: 'a\u001fb' },
      },
    ]);
  });

  it('are not read under the token of another claim', async () => {
    await waiting({ count: 1 });
    const { batches } = await ledger.claim(project.id);
    const foreign = batches.map(({ id }) => ({ id, token: newId() }));
    expect(await ledger.use((client) => readBatches(client, foreign))).toEqual([]);
  });
});
