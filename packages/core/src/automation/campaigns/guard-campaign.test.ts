import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Context } from '../../base/kernel/index.ts';
import { openTestLedger, type TestLedger } from '../../mail/ledger/ledger.fixture.ts';
import { type TestProject, type TestServices, verifiedDomain } from '../../testing/index.ts';
import { content, frozenCampaign, people, settleSome, withoutHints } from './campaigns.fixture.ts';
import { closeLedger } from './close-campaign.ts';
import { createCampaign } from './create-campaign.ts';
import { freezeAudience } from './freeze-audience.ts';
import { getCampaign } from './get-campaign.ts';
import { guardCampaign } from './guard-campaign.ts';
import { resumeCampaign } from './resume-campaign.ts';
import { sendCampaign } from './send-campaign.ts';
import { tellOfForgotten } from './tell-of-pause.ts';

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

const prisma = () => test.services.database.prisma;
const read = (id: string) => getCampaign.run(project.ctx, { id });
const count = (campaignId: string, data: object) =>
  prisma().campaignCounter.update({ where: { campaignId }, data });

/** A campaign of which 200 emails count as sent, and that waits for three more. */
async function sending(input: object = {}): Promise<string> {
  await people(test, project, 3);
  const id = await frozenCampaign(test, project, input);
  await count(id, { sentCount: 200 });
  return id;
}

describe('the guard', () => {
  it.each([
    ['guard_bounces', { bouncedCount: 24 }],
    ['guard_complaints', { complainedCount: 10 }],
    ['guard_unsubscribes', { unsubscribedCount: 24 }],
  ] as const)('pauses a campaign once: %s', async (reason, counters) => {
    const id = await sending();
    expect(await guardCampaign(test.services, id)).toBe(false);
    await count(id, counters);
    const answers = await Promise.all([1, 2, 3].map(() => guardCampaign(test.services, id)));
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await read(id)).toMatchObject({
      status: 'SENDING',
      pausedAt: expect.any(String),
      pauseReason: reason,
    });
    expect(await ledger.take(project.id, { kind: 'bulk' })).toEqual([]);
    const told = await prisma().event.findMany({ where: { projectId: project.id, name: 'campaign.paused' } });
    expect(told.map(({ data }) => data)).toMatchObject([
      { campaignId: id, reason, sentCount: 200, ...counters },
    ]);
    expect(
      await prisma().auditLog.findMany({
        where: { projectId: project.id, targetId: id, actorType: 'system' },
      }),
    ).toMatchObject([{ operation: 'campaigns.pauseByGuard', changed: ['pausedAt'] }]);
  });

  it('leaves a campaign alone that has none', async () => {
    const id = await sending({ guard: false });
    await count(id, { bouncedCount: 100 });
    expect(await guardCampaign(test.services, id)).toBe(false);
    expect(await read(id)).toMatchObject({ guard: false, pausedAt: null });
  });

  it('counts from where the campaign was resumed, and not at all when that was asked for', async () => {
    const id = await sending();
    await count(id, { bouncedCount: 24 });
    await guardCampaign(test.services, id);
    await resumeCampaign.run(project.ctx, { id });
    await count(id, { sentCount: 1_200, bouncedCount: 30 });
    expect(await guardCampaign(test.services, id)).toBe(false);
    await count(id, { bouncedCount: 200 });
    expect(await guardCampaign(test.services, id)).toBe(true);
    expect(await resumeCampaign.run(project.ctx, { id, guard: false })).toMatchObject({
      ...{ guard: false, pausedAt: null },
    });
    await count(id, { bouncedCount: 900 });
    expect(await guardCampaign(test.services, id)).toBe(false);
  });

  it('does not count what reports without a proof say', async () => {
    await people(test, project, 60);
    const id = await frozenCampaign(test, project);
    const ids = await settleSome(test, id, 'SENT', 50);
    const bounced = ids.slice(0, 12);
    await prisma().email.updateMany({
      where: { id: { in: bounced } },
      data: { status: 'BOUNCED', bouncedAt: new Date(), unprovenNews: true },
    });
    await count(id, { bouncedCount: 12 });
    expect(await guardCampaign(test.services, id)).toBe(false);
    await prisma().email.updateMany({ where: { id: { in: bounced } }, data: { unprovenNews: false } });
    expect(await guardCampaign(test.services, id)).toBe(true);
  });

  it('looks at a campaign that no process sends at the moment when its end is looked for', async () => {
    const id = await sending();
    await count(id, { complainedCount: 12 });
    expect(await closeLedger(test.services, id)).toBe(false);
    expect(await read(id)).toMatchObject({ pauseReason: 'guard_complaints' });
  });
});

it('a campaign that has been paused for a week is told of once for each pause', async () => {
  const id = await sending();
  const pausedAt = new Date(Date.now() - 8 * 86_400_000);
  await prisma().campaign.update({ where: { id }, data: { pausedAt, pauseReason: 'user' } });
  expect(await tellOfForgotten(test.services)).toBe(1);
  expect(await tellOfForgotten(test.services)).toBe(0);
  const other = await sending();
  await prisma().campaign.update({ where: { id: other }, data: { pausedAt: new Date() } });
  expect(await tellOfForgotten(test.services)).toBe(0);
});

it('the member who created a campaign is told of its guard, as owners and admins are, and each of them once', async () => {
  const told = vi.spyOn(test.services.platformMail, 'write').mockResolvedValue();
  const emailOf = async (userId: string) =>
    (await prisma().user.findUniqueOrThrow({ where: { id: userId } })).email;
  const owner = await emailOf(project.ownerId);
  const toldAbout = async (ctx: Context): Promise<string[]> => {
    await people(test, project, 3);
    const { id } = await createCampaign.run(ctx, { ...content, audienceType: 'ALL' });
    await sendCampaign.run(project.ctx, { id });
    await freezeAudience(test.services, id);
    await count(id, { sentCount: 200, bouncedCount: 24 });
    told.mockClear();
    await guardCampaign(test.services, id);
    return told.mock.calls.map(([, { to }]) => to.email).toSorted();
  };
  const member = await project.userCtx('MEMBER');
  const author = member.actor.type === 'user' ? await emailOf(member.actor.userId) : '';
  expect(await toldAbout(member)).toEqual([author, owner].toSorted());
  expect(await toldAbout(await project.userCtx('OWNER'))).toEqual([owner]);
  // A program has no mailbox.
  expect(await toldAbout(project.ctx)).toEqual([owner]);
  told.mockRestore();
});
