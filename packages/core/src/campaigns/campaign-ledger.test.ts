import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../kernel/index.ts';
import { getEmail, listEmails, previewEmail } from '../sending/index.ts';
import { claim, ensureBucket } from '../sending/ledger/claim.store.ts';
import { recordDataStarted } from '../sending/ledger/record.store.ts';
import { settle } from '../sending/ledger/settle.store.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../testing/index.ts';
import {
  closeLedger,
  detachBatch,
  findNeglectedCampaigns,
  readCampaignStep,
  skipBatch,
} from './campaign-delivery.ts';
import { frozenCampaign, people, settleSome, withoutHints } from './campaigns.fixture.ts';
import { cancelCampaign } from './cancel-campaign.ts';
import { deleteCampaign } from './delete-campaign.ts';
import { getCampaignStats } from './get-campaign-stats.ts';
import { listRecipients } from './list-recipients.ts';
import { retryCampaign } from './retry-campaign.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = withoutHints(await createTestServices());
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'shop.test');
});

const prisma = () => test.services.database.prisma;
const statsOf = (id: string) => getCampaignStats.run(project.ctx, { id });
const isClosed = async (id: string) => (await prisma().delivery.count({ where: { campaignId: id } })) === 0;

/** The sum of B4.7, which always holds. */
function expectSum(stats: Awaited<ReturnType<typeof statsOf>>): void {
  const { sentCount, failedCount, skippedCount, uncertainCount, pendingCount } = stats;
  expect(sentCount + failedCount + skippedCount + uncertainCount + pendingCount).toBe(stats.totalRecipients);
}

/** Claims waiting campaign email of the project, as a delivery worker does. */
async function claimSome(limit: number): Promise<{ token: string; ids: string[] }> {
  const token = newId();
  const client = await test.services.database.pool.connect();
  try {
    await ensureBucket(client, project.id, 1_000);
    const rows = await claim(client, {
      projectId: project.id,
      lane: 'bulk',
      token,
      worker: 'test',
      limit,
      leaseMs: 60_000,
      rate: 1_000,
    });
    return { token, ids: rows.map(({ id }) => id) };
  } finally {
    client.release();
  }
}

async function begin(token: string, ids: string[]): Promise<Set<string>> {
  const client = await test.services.database.pool.connect();
  try {
    return await recordDataStarted(
      client,
      ids.map((id) => ({ id, token })),
    );
  } finally {
    client.release();
  }
}

async function answer(token: string, ids: string[], outcome: 'sent' | 'uncertain'): Promise<void> {
  const client = await test.services.database.pool.connect();
  try {
    await settle(
      client,
      ids.map((id) => ({
        id,
        token,
        outcome,
        error: null,
        reason: null,
        subject: null,
        providerId: null,
        nextAttemptAt: null,
        hardBounce: false,
        at: new Date(),
      })),
    );
  } finally {
    client.release();
  }
}

describe('cancelling during delivery', () => {
  it('skips emails that wait or are claimed but not begun; begun ones finish, and the ledger closes', async () => {
    await people(test, project, 30);
    const id = await frozenCampaign(test, project);
    await settleSome(test, id, 'SENT', 10);
    const { token, ids } = await claimSome(8);
    const begun = ids.slice(0, 3);
    expect([...(await begin(token, begun))].sort()).toEqual([...begun].sort());

    expect(await cancelCampaign.run(project.ctx, { id })).toMatchObject({
      status: 'CANCELLED',
      statusReason: null,
    });
    expect(await begin(token, ids.slice(3))).toEqual(new Set());
    await answer(token, begun, 'sent');
    expect(await skipBatch(test.services, id)).toBe(0);
    expect(await isClosed(id)).toBe(true);
    expect(await readCampaignStep(test.services, id, Date.now())).toEqual({ kind: 'end' });
    const statuses = await prisma().email.groupBy({
      by: ['status', 'reason'],
      where: { campaignId: id },
      _count: true,
    });
    expect(statuses).toHaveLength(2);
    expect(statuses).toEqual(
      expect.arrayContaining([
        { status: 'SENT', reason: null, _count: 13 },
        { status: 'SKIPPED', reason: 'cancelled', _count: 17 },
      ]),
    );
    expect((await statsOf(id)).skippedReasons).toEqual({ cancelled: 17 });
  });
});

describe('retry', () => {
  it('requeues exactly these emails, and the ledger closes again', async () => {
    await people(test, project, 20);
    const id = await frozenCampaign(test, project);
    await settleSome(test, id, 'SENT', 12);
    const failed = await settleSome(test, id, 'FAILED', 5);
    await settleSome(test, id, 'UNCERTAIN', 3);
    expect(await closeLedger(test.services, id)).toBe(true);
    const [erased = ''] = failed;
    await prisma().email.update({ where: { id: erased }, data: { contactId: null } });

    expect(await retryCampaign.run(project.ctx, { id, statuses: ['FAILED'] })).toEqual({ requeued: 4 });
    const during = await statsOf(id);
    expect(during).toMatchObject({ sentCount: 12, failedCount: 1, uncertainCount: 3, pendingCount: 4 });
    expectSum(during);
    expect(await prisma().campaign.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: 'SENDING' });
    const waiting = await prisma().delivery.findMany({ where: { campaignId: id } });
    expect(waiting.map(({ emailId }) => emailId).sort()).toEqual(failed.slice(1).sort());
    expect(waiting.every(({ domainId, priority }) => domainId !== null && priority === 3)).toBe(true);
    expect(await closeLedger(test.services, id)).toBe(false);

    await settleSome(test, id, 'SENT', 4);
    expect(await closeLedger(test.services, id)).toBe(true);
    expect(await prisma().campaign.findUniqueOrThrow({ where: { id } })).toMatchObject({
      status: 'SENT',
      totalRecipients: 20,
    });
    expect(await statsOf(id)).toMatchObject({
      sentCount: 16,
      failedCount: 1,
      uncertainCount: 3,
      pendingCount: 0,
    });
  });

  it('with nothing to retry leaves the status unchanged', async () => {
    await people(test, project, 2);
    const id = await frozenCampaign(test, project);
    await settleSome(test, id, 'SENT', 2);
    await closeLedger(test.services, id);
    expect(await retryCampaign.run(project.ctx, { id, statuses: ['FAILED', 'UNCERTAIN'] })).toEqual({
      requeued: 0,
    });
    expect(await prisma().campaign.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: 'SENT' });
  });

  it('the late answer of the last attempt settles a requeued email', async () => {
    await people(test, project, 1);
    const id = await frozenCampaign(test, project);
    const { token, ids } = await claimSome(1);
    await begin(token, ids);
    await answer(token, ids, 'uncertain');
    await closeLedger(test.services, id);
    expect(await retryCampaign.run(project.ctx, { id, statuses: ['UNCERTAIN'] })).toEqual({ requeued: 1 });
    await answer(token, ids, 'sent');
    expect(await isClosed(id)).toBe(true);
    expect(await prisma().email.findFirstOrThrow({ where: { campaignId: id } })).toMatchObject({
      status: 'SENT',
    });
  });

  it.each([
    [{ statuses: [] }, 'statuses', 'too_small'],
    [{}, 'statuses', 'required'],
    [{ statuses: ['SENT'] }, 'statuses.0', 'invalid_enum_value'],
  ])('%j is refused', async (input, field, code) => {
    await expect(retryCampaign.runRaw(project.ctx, { id: newId(), ...input })).rejects.toMatchObject({
      errors: [{ field, code }],
    });
  });
});

describe('deleting', () => {
  it('keeps the emails and clears their campaign id', async () => {
    await people(test, project, 5);
    const id = await frozenCampaign(test, project);
    await settleSome(test, id, 'SENT', 5);
    await closeLedger(test.services, id);
    await deleteCampaign.run(project.ctx, { id });
    const emails = await prisma().email.findMany({ where: { projectId: project.id } });
    expect(emails).toHaveLength(5);
    expect(emails.every(({ campaignId }) => campaignId === null)).toBe(true);
    expect(await prisma().campaignCounter.count({ where: { campaignId: id } })).toBe(0);
    const { data } = await listEmails.run(project.ctx, {});
    const [first] = data;
    expect(await previewEmail.runRaw(project.ctx, { id: first?.id })).toMatchObject({
      subject: 'Hello you',
      html: expect.stringContaining('Hi you'),
    });
  });

  it('of a large, just cancelled campaign finishes in the background, and none of its email is sent', async () => {
    await people(test, project, 2_300);
    const id = await frozenCampaign(test, project);
    await prisma().campaign.update({ where: { id }, data: { status: 'CANCELLED' } });
    await deleteCampaign.run(project.ctx, { id });
    const left = await prisma().email.count({ where: { campaignId: id } });
    expect(left).toBeGreaterThan(0);
    expect(await findNeglectedCampaigns(test.services, 100)).toContain(id);
    expect(await readCampaignStep(test.services, id, Date.now())).toEqual({ kind: 'detach' });
    while (await detachBatch(test.services, id));
    expect(await readCampaignStep(test.services, id, Date.now())).toEqual({ kind: 'end' });
    expect(await isClosed(id)).toBe(true);
    expect(await prisma().email.count({ where: { projectId: project.id, campaignId: null } })).toBe(2_300);
    expect(await prisma().email.count({ where: { projectId: project.id, status: { not: 'SKIPPED' } } })).toBe(
      0,
    );
  });
});

describe('recipients', () => {
  it('are listed by type and page, latest change first, each once', async () => {
    await people(test, project, 25);
    const id = await frozenCampaign(test, project);
    const sent = await settleSome(test, id, 'SENT', 15);
    await settleSome(test, id, 'FAILED', 4);
    const at = new Date();
    await prisma().email.updateMany({ where: { id: { in: sent } }, data: { sentAt: at } });
    await prisma().email.updateMany({
      where: { id: { in: sent.slice(0, 6) } },
      data: { status: 'OPENED', openedAt: at, opens: 1 },
    });
    const page = (query: object) => listRecipients.run(project.ctx, { id, ...query });
    for (const [type, count] of [
      [undefined, 25],
      ['sent', 15],
      ['opened', 6],
      ['clicked', 0],
      ['failed', 4],
      ['skipped', 0],
    ] as const) {
      const seen: string[] = [];
      let cursor: string | null = null;
      let last = Number.POSITIVE_INFINITY;
      do {
        const { data, cursor: next, total } = await page({ type, limit: 4, cursor });
        if (!cursor) expect(total).toBe(count);
        for (const each of data) {
          expect(Date.parse(each.occurredAt)).toBeLessThanOrEqual(last);
          last = Date.parse(each.occurredAt);
          seen.push(each.emailId);
        }
        cursor = next;
      } while (cursor);
      expect([type, seen.length, new Set(seen).size]).toEqual([type, count, count]);
    }
    const [failed] = (await page({ type: 'failed' })).data;
    expect(failed).toMatchObject({
      status: 'FAILED',
      error: 'refused',
      reason: null,
      email: expect.stringMatching(/@people\.test$/),
      contactId: expect.any(String),
    });
    await expect(page({ type: 'lost' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(page({ cursor: 'x' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('an email', () => {
  it('is found by every filter and shows its newest interactions', async () => {
    const [contactId] = await people(test, project, 2);
    const id = await frozenCampaign(test, project);
    const [email = ''] = await settleSome(test, id, 'SENT', 2);
    const list = async (query: object) => (await listEmails.run(project.ctx, query)).total;
    const anHour = 3_600_000;
    expect(await list({ campaignId: id })).toBe(2);
    expect(await list({ campaignId: newId() })).toBe(0);
    expect(await list({ contactId })).toBe(1);
    expect(await list({ status: 'SENT', sourceType: 'CAMPAIGN' })).toBe(2);
    expect(await list({ status: 'PENDING' })).toBe(0);
    expect(await list({ sourceType: 'TEST' })).toBe(0);
    expect(await list({ from: new Date(Date.now() - anHour).toISOString() })).toBe(2);
    expect(await list({ to: new Date(Date.now() - anHour).toISOString() })).toBe(0);
    await prisma().interaction.createMany({
      data: Array.from({ length: 120 }, (_, index) => ({
        id: newId(),
        projectId: project.id,
        emailId: email,
        type: 'open' as const,
        at: new Date(index * 1_000),
      })),
    });
    const { interactions } = await getEmail.run(project.ctx, { id: email });
    expect(interactions).toHaveLength(100);
    expect(interactions[0]).toEqual({
      type: 'open',
      at: new Date(119_000).toISOString(),
      link: null,
      bot: false,
    });
  });

  it.each([
    [
      { from: 'yesterday-ish' },
      { code: 'VALIDATION_ERROR', errors: [{ field: 'from', code: 'invalid_date' }] },
    ],
    [{ contactId: 'x' }, { code: 'VALIDATION_ERROR', errors: [{ field: 'contactId' }] }],
    [{ status: 'LOST' }, { code: 'BAD_REQUEST' }],
    [{ sourceType: 'SYSTEM' }, { code: 'BAD_REQUEST' }],
    [{ cursor: 'x' }, { code: 'BAD_REQUEST' }],
  ])('a list of %j is refused', async (query, error) => {
    await expect(listEmails.run(project.ctx, query)).rejects.toMatchObject(error);
  });

  it('whose content was cleared has a subject but no preview', async () => {
    await people(test, project, 1);
    const id = await frozenCampaign(test, project);
    const [email = ''] = await settleSome(test, id, 'SENT', 1);
    await prisma().email.update({
      where: { id: email },
      data: { contentClearedAt: new Date(), subject: 'Hello you' },
    });
    expect(await previewEmail.run(project.ctx, { id: email })).toEqual({
      subject: 'Hello you',
      html: null,
      text: null,
    });
  });
});
