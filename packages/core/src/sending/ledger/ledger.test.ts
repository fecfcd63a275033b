import fc from 'fast-check';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../kernel/index.ts';
import {
  createTestProject,
  createTestServices,
  sendingCampaign,
  type TestProject,
  type TestServices,
  waitingMail,
} from '../../testing/index.ts';
import { postgresVersions } from '../../testing/test-database.ts';
import { LedgerConnection } from '../delivery/ledger-connection.ts';
import { type ClaimedEmail, claim, ensureBucket } from './claim.store.ts';
import { countCampaignEmails } from './freeze.store.ts';
import { reapExpiredLeases } from './reap.store.ts';
import { recordDataStarted } from './record.store.ts';
import { addToCounters, type Outcome, type Settlement, settle } from './settle.store.ts';

describe.each(await postgresVersions())('on PostgreSQL (%s)', (postgres) => {
  let test: TestServices;
  let ledger: LedgerConnection;
  let project: TestProject;

  const plenty = 1_000_000;

  beforeAll(async () => {
    test = await createTestServices({ postgres });
    ledger = new LedgerConnection(test.databaseUrl, { asyncCommit: false, connections: 4 });
  });

  afterAll(async () => {
    await ledger.close();
    await test.close();
  });

  beforeEach(async () => {
    project = await createTestProject(test.services);
    await ledger.use((client) => ensureBucket(client, project.id, plenty));
  });

  const use = <T>(work: (client: PoolClient) => Promise<T>): Promise<T> => ledger.use(work);

  interface TakeOptions {
    limit?: number;
    rate?: number;
    lane?: 'direct' | 'bulk';
  }

  async function take({ limit = 100, rate = plenty, lane = 'direct' }: TakeOptions = {}): Promise<{
    token: string;
    rows: ClaimedEmail[];
  }> {
    const token = newId();
    const rows = await use((client) =>
      claim(client, { projectId: project.id, token, worker: 'test', limit, leaseMs: 60_000, rate, lane }),
    );
    return { token, rows };
  }

  const begin = (token: string, ids: string[]): Promise<Set<string>> =>
    use((client) =>
      recordDataStarted(
        client,
        ids.map((id) => ({ id, token })),
      ),
    );

  const result = (
    id: string,
    token: string,
    outcome: Outcome,
    rest: Partial<Settlement> = {},
  ): Settlement => ({
    id,
    token,
    outcome,
    error: outcome === 'sent' ? null : `said: ${outcome}`,
    reason: outcome === 'skipped' ? 'suppressed' : null,
    subject: null,
    providerId: null,
    nextAttemptAt: outcome === 'retry' ? new Date() : null,
    hardBounce: false,
    at: new Date(),
    ...rest,
  });

  async function write(settlements: Settlement[]): Promise<void> {
    await use(async (client) => {
      const { deltas } = await settle(client, settlements);
      if (deltas.length > 0) await addToCounters(client, deltas);
    });
  }

  /** Expires the lease, as if the worker had not renewed it. */
  const loseLease = (token: string): Promise<unknown> =>
    use((client) =>
      client.query(
        `UPDATE "DeliveryLease" SET "leaseUntil" = now() - interval '1 second' WHERE "token" = $1`,
        [token],
      ),
    );

  const reap = () => use((client) => reapExpiredLeases(client, project.id));

  const emailOf = (id: string) => test.services.database.prisma.email.findUniqueOrThrow({ where: { id } });
  const deliveryOf = (id: string) =>
    test.services.database.prisma.delivery.findUnique({ where: { emailId: id } });

  async function oneClaimed(options: { campaignId?: string } = {}): Promise<{ id: string; token: string }> {
    await waitingMail(test.services, project.id, { count: 1, campaignId: options.campaignId ?? null });
    const { token, rows } = await take({ lane: options.campaignId ? 'bulk' : 'direct' });
    const [row] = rows;
    if (!row) throw new Error('nothing was claimed');
    return { id: row.id, token };
  }

  describe('claim', () => {
    it('gives every waiting email to exactly one of many claims at once', async () => {
      const emails = await waitingMail(test.services, project.id, { count: 200 });
      const claims = await Promise.all(Array.from({ length: 8 }, () => take({ limit: 60 })));
      const ids = claims.flatMap(({ rows }) => rows.map(({ id }) => id));
      expect(new Set(ids).size).toBe(ids.length);
      const rest = await take({ limit: 1_000 });
      expect([...ids, ...rest.rows.map(({ id }) => id)].toSorted()).toEqual(
        emails.map(({ id }) => id).toSorted(),
      );
    });

    it('stays within the sending rate, and does not return the tokens of a claim', async () => {
      await waitingMail(test.services, project.id, { count: 50 });
      await use((client) =>
        client.query(
          `UPDATE "SendBucket" SET "tokens" = 10, "updatedAt" = clock_timestamp() WHERE "projectId" = $1`,
          [project.id],
        ),
      );
      const rate = 10;
      const first = await take({ rate });
      expect(first.rows.length).toBe(10);
      await write(first.rows.map(({ id }) => result(id, first.token, 'giveback')));
      const second = await take({ rate });
      expect(second.rows.length).toBeLessThan(10);
    });

    it('takes transactional mail before a workflow’s, and a campaign’s only in its own lane', async () => {
      const campaignId = await sendingCampaign(test.services, project.id);
      const bulk = await waitingMail(test.services, project.id, { count: 3, campaignId });
      const [slow] = await waitingMail(test.services, project.id, { count: 1 });
      await test.services.database.prisma.delivery.update({
        where: { emailId: slow?.id ?? '' },
        data: { priority: 2 },
      });
      const [urgent] = await waitingMail(test.services, project.id, { count: 1 });
      const first = await take({ limit: 1 });
      expect(first.rows.map(({ id }) => id)).toEqual([urgent?.id]);
      const direct = await take();
      expect(direct.rows.map(({ id }) => id)).toEqual([slow?.id]);
      const campaign = await take({ lane: 'bulk' });
      expect(campaign.rows.map(({ id }) => id).toSorted()).toEqual(bulk.map(({ id }) => id).toSorted());
    });

    it('leaves emails that are not due yet', async () => {
      const [later] = await waitingMail(test.services, project.id, { count: 1 });
      const due = new Date(Date.now() + 60_000);
      await test.services.database.prisma.delivery.update({
        where: { emailId: later?.id ?? '' },
        data: { nextAttemptAt: due },
      });
      expect((await take()).rows).toEqual([]);
    });
  });

  describe('record', () => {
    it('refuses the fence of a claim that was taken over', async () => {
      const { id, token } = await oneClaimed();
      await loseLease(token);
      await reap();
      expect(await begin(token, [id])).toEqual(new Set());
    });

    it('refuses after the lease, even without a take-over', async () => {
      const { id, token } = await oneClaimed();
      await loseLease(token);
      expect(await begin(token, [id])).toEqual(new Set());
    });

    it('grants each message once', async () => {
      const { id, token } = await oneClaimed();
      const [one, two] = await Promise.all([begin(token, [id]), begin(token, [id])]);
      expect(one.size + two.size).toBe(1);
    });
  });

  describe('settle', () => {
    it('accepted: SENT with its time, no delivery left, one email.sent event', async () => {
      const { id, token } = await oneClaimed();
      await begin(token, [id]);
      await write([result(id, token, 'sent')]);
      await write([result(id, token, 'sent')]);
      const email = await emailOf(id);
      expect(email).toMatchObject({ status: 'SENT', attempts: 1, error: null });
      expect(email.sentAt).toBeInstanceOf(Date);
      expect(await deliveryOf(id)).toBeNull();
      const events = await test.services.database.prisma.event.findMany({ where: { emailId: id } });
      expect(events.map(({ name }) => name)).toEqual(['email.sent']);
      expect(events[0]?.data).toMatchObject({
        emailId: id,
        subject: 'Hello',
        from: 'sender@mail.test',
        campaignId: null,
      });
    });

    it('refused for good: FAILED without sentAt', async () => {
      const { id, token } = await oneClaimed();
      await write([result(id, token, 'failed')]);
      expect(await emailOf(id)).toMatchObject({ status: 'FAILED', sentAt: null, error: 'said: failed' });
      expect(await deliveryOf(id)).toBeNull();
    });

    it('refused for now: waits again, the attempt and the first answer noted', async () => {
      const { id, token } = await oneClaimed();
      const at = new Date(Date.now() + 60_000);
      await write([result(id, token, 'retry', { nextAttemptAt: at })]);
      expect(await emailOf(id)).toMatchObject({ status: 'PENDING', attempts: 1, error: 'said: retry' });
      const delivery = await deliveryOf(id);
      expect(delivery).toMatchObject({ token: null, dataStartedAt: null, nextAttemptAt: at });
      expect(delivery?.firstAnsweredAt).toBeInstanceOf(Date);
    });

    it('given back: waits as before, without an attempt', async () => {
      const { id, token } = await oneClaimed();
      await begin(token, [id]);
      await write([result(id, token, 'giveback')]);
      expect(await emailOf(id)).toMatchObject({ status: 'PENDING', attempts: 0 });
      expect((await take()).rows.map((row) => row.id)).toEqual([id]);
    });

    it('an opened email has arrived: no later answer fails it or sends it again', async () => {
      for (const outcome of ['failed', 'retry', 'giveback', 'uncertain'] as const) {
        const { id, token } = await oneClaimed();
        await begin(token, [id]);
        const openedAt = new Date();
        await test.services.database.prisma.email.update({
          where: { id },
          data: { status: 'OPENED', sentAt: openedAt, openedAt },
        });
        await write([result(id, token, outcome)]);
        expect(await emailOf(id)).toMatchObject({ status: 'OPENED', sentAt: openedAt });
        expect(await deliveryOf(id)).toBeNull();
      }
    });

    it('writes nothing under a fence that is not the row’s', async () => {
      const { id } = await oneClaimed();
      await write([result(id, newId(), 'sent')]);
      expect((await emailOf(id)).status).toBe('PENDING');
      expect(await deliveryOf(id)).not.toBeNull();
    });
  });

  describe('a hard bounce', () => {
    it('counts an email once, even when it bounces again after a retry, and is written once', async () => {
      const campaignId = await sendingCampaign(test.services, project.id);
      const { prisma } = test.services.database;
      const { id, token } = await oneClaimed({ campaignId });
      const bounce = (under: string) => result(id, under, 'failed', { hardBounce: true });
      const first = await use((client) => settle(client, [bounce(token)]));
      expect(first).toMatchObject({ hardBounced: [id], deltas: [{ failed: 1, bounced: 1 }] });
      // As after a COMMIT whose answer was lost.
      expect(await use((client) => settle(client, [bounce(token)]))).toEqual({ hardBounced: [], deltas: [] });
      await prisma.email.update({ where: { id }, data: { status: 'PENDING' } });
      await prisma.delivery.create({ data: { emailId: id, projectId: project.id, priority: 3, campaignId } });
      const again = await take({ lane: 'bulk' });
      const second = await use((client) => settle(client, [bounce(again.token)]));
      expect(second).toMatchObject({ hardBounced: [id], deltas: [{ failed: 1, bounced: 0 }] });
    });
  });

  describe('a lost worker', () => {
    it('not begun: again at once, its fence cleared', async () => {
      const { id, token } = await oneClaimed();
      await loseLease(token);
      expect(await reap()).toEqual({ givenBack: 1, uncertain: 0 });
      expect(await deliveryOf(id)).toMatchObject({ token: null });
      expect((await take()).rows.map((row) => row.id)).toEqual([id]);
    });

    it('begun, campaign: UNCERTAIN with a reason, and never resent automatically', async () => {
      const campaignId = await sendingCampaign(test.services, project.id);
      const { id, token } = await oneClaimed({ campaignId });
      await begin(token, [id]);
      await loseLease(token);
      expect(await reap()).toEqual({ givenBack: 0, uncertain: 1 });
      expect(await emailOf(id)).toMatchObject({ status: 'UNCERTAIN', fence: token });
      expect((await emailOf(id)).error).toContain('may have accepted');
      expect(await deliveryOf(id)).toBeNull();
    });

    it('begun, transactional: UNCERTAIN, due once more after two minutes, then never again', async () => {
      const { id, token } = await oneClaimed();
      await begin(token, [id]);
      await loseLease(token);
      await reap();
      expect((await emailOf(id)).status).toBe('UNCERTAIN');
      const delivery = await deliveryOf(id);
      const inMs = (delivery?.nextAttemptAt.getTime() ?? 0) - Date.now();
      expect(inMs).toBeGreaterThan(100_000);
      expect(inMs).toBeLessThan(125_000);
      await test.services.database.prisma.delivery.update({
        where: { emailId: id },
        data: { nextAttemptAt: new Date() },
      });
      const again = await take();
      await begin(again.token, [id]);
      await loseLease(again.token);
      await reap();
      expect(await emailOf(id)).toMatchObject({ status: 'UNCERTAIN', autoResent: true });
      expect(await deliveryOf(id)).toBeNull();
    });

    it('the late answer of a suspended worker makes it SENT and drops the waiting resend', async () => {
      const { id, token } = await oneClaimed();
      await begin(token, [id]);
      await loseLease(token);
      await reap();
      await write([result(id, token, 'sent')]);
      expect((await emailOf(id)).status).toBe('SENT');
      expect(await deliveryOf(id)).toBeNull();
    });

    it('a suspended worker that transferred nothing gives the email back', async () => {
      const campaignId = await sendingCampaign(test.services, project.id);
      const { id, token } = await oneClaimed({ campaignId });
      await begin(token, [id]);
      await loseLease(token);
      await reap();
      await write([result(id, token, 'giveback')]);
      expect((await emailOf(id)).status).toBe('PENDING');
      expect((await take({ lane: 'bulk' })).rows.map((row) => row.id)).toEqual([id]);
    });
  });

  describe('any order of claims, losses, take-overs and late answers', () => {
    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ kind: fc.constant('claim' as const), limit: fc.integer({ min: 1, max: 4 }) }),
      },
      { weight: 5, arbitrary: fc.record({ kind: fc.constant('begin' as const), pick: fc.nat() }) },
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constant('settle' as const),
          pick: fc.nat(),
          outcome: fc.constantFrom<Outcome>(
            'sent',
            'sent',
            'failed',
            'retry',
            'giveback',
            'uncertain',
            'skipped',
          ),
        }),
      },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('lose' as const), pick: fc.nat() }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('reap' as const) }) },
    );

    it('never begin an email again unless it was surely not transferred; rows and counters agree', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
          project = await createTestProject(test.services);
          await use((client) => ensureBucket(client, project.id, plenty));
          const campaignId = await sendingCampaign(test.services, project.id);
          const emails = await waitingMail(test.services, project.id, { count: 6, campaignId });
          /** attempts of this model, as the sender sees them */
          const attempts: { id: string; token: string; state: 'held' | 'begun' | 'answered' }[] = [];
          const tokens: string[] = [];
          const mayBegin = new Map(emails.map(({ id }) => [id, true]));
          for (const one of steps) {
            const open = attempts.filter(({ state }) => state !== 'answered');
            const attempt = 'pick' in one ? open[one.pick % Math.max(1, open.length)] : undefined;
            if (one.kind === 'claim') {
              const { token, rows } = await take({ limit: one.limit, lane: 'bulk' });
              tokens.push(token);
              attempts.push(...rows.map(({ id }) => ({ id, token, state: 'held' as const })));
            } else if (one.kind === 'begin' && attempt?.state === 'held') {
              const granted = await begin(attempt.token, [attempt.id]);
              if (granted.has(attempt.id)) {
                expect(mayBegin.get(attempt.id)).toBe(true);
                mayBegin.set(attempt.id, false);
                attempt.state = 'begun';
              }
            } else if (one.kind === 'settle' && attempt) {
              // Only attempts that have begun can have a result other than a refusal.
              const outcome =
                attempt.state === 'held' && !['failed', 'retry', 'skipped'].includes(one.outcome)
                  ? 'giveback'
                  : one.outcome;
              if (outcome === 'retry' || outcome === 'giveback')
                mayBegin.set(attempt.id, attempt.state === 'begun' || (mayBegin.get(attempt.id) ?? true));
              await write([result(attempt.id, attempt.token, outcome)]);
              attempt.state = 'answered';
            } else if (one.kind === 'lose' && tokens.length > 0) {
              await loseLease(tokens[one.pick % tokens.length] ?? '');
            } else if (one.kind === 'reap') await reap();
          }
          const { prisma } = test.services.database;
          const counted = await countCampaignEmails(prisma, campaignId);
          const counters = await prisma.campaignCounter.findUniqueOrThrow({ where: { campaignId } });
          expect(counters).toMatchObject({
            sentCount: counted.sent,
            failedCount: counted.failed,
            skippedCount: counted.skipped,
            uncertainCount: counted.uncertain,
          });
          const waiting = await prisma.delivery.count({ where: { campaignId } });
          const pending = await prisma.email.count({ where: { campaignId, status: 'PENDING' } });
          expect(waiting).toBe(pending);
          expect(counted.total).toBe(emails.length);
        }),
        { numRuns: 40 },
      );
    });
  });
});
