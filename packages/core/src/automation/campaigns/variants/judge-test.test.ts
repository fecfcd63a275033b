import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { identifyRest } from '../../../mail/ledger/index.ts';
import { openTestLedger, type TestLedger } from '../../../mail/ledger/ledger.fixture.ts';
import { type TestProject, type TestServices, verifiedDomain } from '../../../testing/index.ts';
import { createGoal } from '../../goals/index.ts';
import { readCampaignStep } from '../campaign-delivery.ts';
import { frozenCampaign, people, withoutHints } from '../campaigns.fixture.ts';
import { closeLedger } from '../close-campaign.ts';
import { getCampaign } from '../get-campaign.ts';
import { getCampaignStats } from '../get-campaign-stats.ts';
import { lookAtTest } from './judge-test.ts';

let ledger: TestLedger;
let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  ledger = await openTestLedger();
  test = withoutHints(ledger.test);
});
afterAll(() => ledger.close());
beforeEach(async () => {
  project = await ledger.newProject();
  await verifiedDomain(test.services, project.id, 'shop.test');
});

const minute = 60_000;
const hour = 60 * minute;
const prisma = () => test.services.database.prisma;
const read = async (id: string) => (await getCampaign.run(project.ctx, { id })).test;
const look = (id: string, now: number) => lookAtTest(test.services, id, now);
const begunAt = Date.now();

/** A campaign whose sample was sent, as delivery processes do it. */
async function begun(
  setup: object = {},
  { input = {}, count = 400 }: { input?: object; count?: number } = {},
) {
  await people(test, project, count);
  const id = await frozenCampaign(test, project, {
    test: { variants: [{ subject: 'Other' }], sample: 50, ...setup },
    ...input,
  });
  await evenOut(id);
  await look(id, begunAt);
  expect(await read(id)).toMatchObject({ state: 'RUNNING', startedAt: null });
  for (const held of await ledger.take(project.id, { kind: 'bulk', maxEmails: 10_000 }))
    await held.settle({ outcome: 'sent' });
  await look(id, begunAt + minute);
  expect(await read(id)).toMatchObject({ state: 'RUNNING', startedAt: expect.any(String) });
  return id;
}

/** The draw makes parts of any size, and one draw of a thousand a mismatch: here both parts have the same size. */
async function evenOut(campaignId: string): Promise<void> {
  const [a, b] = await Promise.all(
    [1, 2].map((variant) =>
      prisma().email.findMany({ where: { campaignId, variant }, select: { id: true } }),
    ),
  );
  if (!a || !b) return;
  const [larger, variant] = a.length > b.length ? [a, 2] : [b, 1];
  const surplus = larger.slice(0, Math.floor(Math.abs(a.length - b.length) / 2));
  await prisma().email.updateMany({ where: { id: { in: surplus.map(({ id }) => id) } }, data: { variant } });
}

/** People click in this number of emails of a variant. */
async function click(campaignId: string, variant: number, count: number): Promise<void> {
  const emails = await prisma().email.findMany({
    where: { campaignId, variant, clickedAt: null },
    take: count,
  });
  await prisma().email.updateMany({
    where: { id: { in: emails.map(({ id }) => id) } },
    data: { clickedAt: new Date(), openedAt: new Date() },
  });
}

const mailsTo = () => prisma().email.count({ where: { sourceType: 'SYSTEM' } });

describe('a test that runs', () => {
  it('begins when no first attempt of its sample waits, and ends its hours later', async () => {
    const id = await begun({ hours: 2 });
    const { startedAt, endsAt } = (await read(id)) ?? {};
    expect(Date.parse(endsAt ?? '') - Date.parse(startedAt ?? '')).toBe(2 * hour);
  });

  it('is looked at every five minutes, and at its end', async () => {
    const id = await begun({ hours: 1 });
    const stepAt = async (ms: number) => (await readCampaignStep(test.services, id, begunAt + ms)).kind;
    expect(await stepAt(2 * minute)).toBe('watch');
    expect(await stepAt(6 * minute)).toBe('test');
    await look(id, begunAt + 6 * minute);
    expect(await stepAt(7 * minute)).toBe('watch');
    await look(id, begunAt + 60 * minute);
    expect(await stepAt(62 * minute)).toBe('test');
  });

  it('is decided early by evidence, and the rest gets the winner', async () => {
    const id = await begun();
    await click(id, 2, 60);
    await look(id, begunAt + 10 * minute);
    expect(await read(id)).toMatchObject({
      state: 'DECIDED',
      winner: 'B',
      decidedBy: 'EVIDENCE',
      proven: true,
    });
    expect(await prisma().content.findUniqueOrThrow({ where: { id: identifyRest(id).id } })).toMatchObject({
      subject: 'Other',
    });
    expect(
      (await ledger.take(project.id, { kind: 'bulk', maxEmails: 10_000 })).flatMap(({ emails }) => emails),
    ).toHaveLength(await prisma().email.count({ where: { campaignId: id, variant: 0 } }));
    expect(
      await prisma().auditLog.findMany({
        where: { projectId: project.id, targetId: id, actorType: 'system' },
      }),
    ).toMatchObject([{ operation: 'campaigns.judgeTest', changed: ['test.winner'] }]);
    // A verdict never changes.
    await click(id, 1, 100);
    await look(id, begunAt + 30 * hour);
    expect(await read(id)).toMatchObject({ winner: 'B', decidedBy: 'EVIDENCE' });
  });

  it('is decided at its end for the leader, though no difference was shown', async () => {
    const id = await begun();
    await click(id, 1, 5);
    await click(id, 2, 8);
    await look(id, begunAt + 3 * hour);
    expect(await read(id)).toMatchObject({ state: 'RUNNING' });
    await look(id, begunAt + 5 * hour);
    expect(await read(id)).toMatchObject({ state: 'DECIDED', winner: 'B', decidedBy: 'END', proven: false });
    const { test: figures } = await getCampaignStats.run(project.ctx, { id });
    expect(figures).toMatchObject({
      winner: 'B',
      variants: [
        { key: 'A', clicked: 5 },
        { key: 'B', clicked: 8 },
        { key: 'REST', clicked: 0 },
      ],
      pairs: [{ key: 'B', against: 'A', ratio: 1.6, proven: false }],
    });
  });

  it('that is manual waits for a person, who is told now and a day later', async () => {
    const id = await begun({ decide: 'MANUAL' });
    await click(id, 2, 60);
    await look(id, begunAt + 10 * minute);
    expect(await read(id)).toMatchObject({ state: 'RUNNING' });
    const before = await mailsTo();
    await look(id, begunAt + 5 * hour);
    expect(await read(id)).toMatchObject({ state: 'UNDECIDED', mismatch: false });
    const after = await mailsTo();
    expect(after).toBeGreaterThan(before);
    await look(id, begunAt + 20 * hour);
    expect(await mailsTo()).toBe(after);
    await look(id, begunAt + 30 * hour);
    expect(await mailsTo()).toBe(after + (after - before));
    await look(id, begunAt + 60 * hour);
    expect(await mailsTo()).toBe(after + (after - before));
    expect(await ledger.take(project.id, { kind: 'bulk' })).toEqual([]);
  });

  it('whose variants arrived in unequal parts waits for a person', async () => {
    const id = await begun();
    const bounced = await prisma().email.findMany({ where: { campaignId: id, variant: 1 }, take: 60 });
    await prisma().email.updateMany({
      where: { id: { in: bounced.map((email) => email.id) } },
      data: { status: 'BOUNCED', bouncedAt: new Date() },
    });
    await click(id, 2, 60);
    await look(id, begunAt + 10 * minute);
    expect(await read(id)).toMatchObject({ state: 'RUNNING' });
    await look(id, begunAt + 5 * hour);
    expect(await read(id)).toMatchObject({ state: 'UNDECIDED', mismatch: true });
  });

  it('with all of its audience as its sample stays open until its end, which is information', async () => {
    const id = await begun({ sample: 100 }, { count: 60 });
    expect(await closeLedger(test.services, id)).toBe(false);
    await look(id, begunAt + 5 * hour);
    expect(await closeLedger(test.services, id)).toBe(true);
    expect(await getCampaign.run(project.ctx, { id })).toMatchObject({
      status: 'SENT',
      test: { state: 'DECIDED' },
    });
  });

  it('of a goal counts recipients who reached it in time, with or without a click', async () => {
    const { id: goalId } = await createGoal.runRaw(project.ctx, {
      ...{ name: 'Purchase', eventName: 'order.paid', value: { property: 'amount', currency: 'EUR' } },
    });
    const id = await begun({ metric: 'GOAL' }, { input: { goalId } });
    const emails = await prisma().email.findMany({ where: { campaignId: id, variant: 2 }, take: 70 });
    await prisma().conversion.createMany({
      data: emails.flatMap(({ contactId }, n) =>
        [0, 1].map((again) => ({
          id: crypto.randomUUID(),
          ...{ projectId: project.id, goalId, contactId, eventId: crypto.randomUUID(), value: 10 },
          // The last ten are too late.
          at: new Date(Date.now() + (n < 60 ? again * minute : 8 * 24 * hour)),
        })),
      ),
    });
    const { test: figures } = await getCampaignStats.run(project.ctx, { id });
    expect(figures?.variants[1]).toMatchObject({ key: 'B', converted: 60, value: 1_200 });
    await look(id, begunAt + 10 * minute);
    expect(await read(id)).toMatchObject({ state: 'DECIDED', winner: 'B', decidedBy: 'EVIDENCE' });
  });
});
