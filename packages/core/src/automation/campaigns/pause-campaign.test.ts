import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import { settlePauses } from '../../mail/ledger/index.ts';
import { openTestLedger, type TestLedger } from '../../mail/ledger/ledger.fixture.ts';
import { getEmail } from '../../mail/sending/index.ts';
import { type TestProject, type TestServices, verifiedDomain } from '../../testing/index.ts';
import { readCampaignStep } from './campaign-delivery.ts';
import { content, frozenCampaign, people, settleSome, withoutHints } from './campaigns.fixture.ts';
import { cancelOfDisabledProject } from './campaigns.store.ts';
import { cancelCampaign } from './cancel-campaign.ts';
import { closeLedger } from './close-campaign.ts';
import { createCampaign } from './create-campaign.ts';
import { duplicateCampaign } from './duplicate-campaign.ts';
import { freezeAudience } from './freeze-audience.ts';
import { getCampaign } from './get-campaign.ts';
import { listCampaigns } from './list-campaigns.ts';
import { pauseCampaign } from './pause-campaign.ts';
import { resumeCampaign } from './resume-campaign.ts';
import { retryCampaign } from './retry-campaign.ts';
import { sendCampaign } from './send-campaign.ts';

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
const pause = (id: string) => pauseCampaign.run(project.ctx, { id });
const resume = (id: string) => resumeCampaign.run(project.ctx, { id });
const read = (id: string) => getCampaign.run(project.ctx, { id });
const heldOf = async (campaignId: string) =>
  (await prisma().deliveryBatch.findMany({ where: { campaignId } })).map(({ held }) => held);
const claimed = async () => (await ledger.take(project.id, { kind: 'bulk' })).flatMap(({ emails }) => emails);
const paused = { status: 'SENDING', pausedAt: expect.any(String), pauseReason: 'user' };
const notPaused = { pausedAt: null, pauseReason: null };

describe('a pause', () => {
  it('is shown by the campaign and its email, is told, and ends by resuming', async () => {
    await people(test, project, 3);
    const id = await frozenCampaign(test, project);
    expect(await pause(id)).toMatchObject(paused);
    expect(await claimed()).toEqual([]);
    const { id: emailId } = await prisma().email.findFirstOrThrow({ where: { campaignId: id } });
    expect(await getEmail.run(project.ctx, { id: emailId })).toMatchObject({
      ...{ status: 'PENDING', heldBy: 'paused', nextAttemptAt: null, estimatedSendAt: null },
    });
    expect(await resume(id)).toMatchObject({ status: 'SENDING', ...notPaused });
    expect((await getEmail.run(project.ctx, { id: emailId })).nextAttemptAt).not.toBeNull();
    expect(await claimed()).toHaveLength(3);
    const told = await prisma().event.findMany({
      where: { projectId: project.id, name: { startsWith: 'campaign.' } },
      orderBy: { id: 'asc' },
    });
    expect(told.map(({ name, data }) => [name, data])).toEqual([
      [
        'campaign.paused',
        {
          ...{ campaignId: id, campaignName: content.name, reason: 'user', totalRecipients: 3 },
          ...{ sentCount: 0, deliveredCount: 0, bouncedCount: 0, complainedCount: 0, unsubscribedCount: 0 },
          ...{ failedCount: 0, skippedCount: 0, uncertainCount: 0 },
          ...{ acceptedCount: 0, refusedCount: 0, heldOutCount: 0 },
        },
      ],
      ['campaign.resumed', { campaignId: id, campaignName: content.name }],
    ]);
  });

  it('of one that is paused, and resuming one that is not, are conflicts that name the state', async () => {
    await people(test, project, 1);
    const id = await frozenCampaign(test, project);
    await expect(resume(id)).rejects.toMatchObject({ code: 'CONFLICT', message: /SENDING/ });
    await pause(id);
    await expect(pause(id)).rejects.toMatchObject({ code: 'CONFLICT', message: /paused/ });
  });

  it('by two at once is one pause', async () => {
    await people(test, project, 1);
    const id = await frozenCampaign(test, project);
    const answers = await Promise.allSettled([pause(id), pause(id), pause(id)]);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is found in the list, by itself', async () => {
    await people(test, project, 1);
    const id = await frozenCampaign(test, project);
    const other = await frozenCampaign(test, project);
    await pause(id);
    const found = async (input: object) =>
      (await listCampaigns.runRaw(project.ctx, input)).data.map((each: { id: string }) => each.id);
    expect(await found({ paused: 'true' })).toEqual([id]);
    expect(await found({ paused: 'false', status: 'SENDING' })).toEqual([other]);
  });

  it('is not copied', async () => {
    await people(test, project, 1);
    const id = await frozenCampaign(test, project);
    await pause(id);
    expect(await duplicateCampaign.run(project.ctx, { id })).toMatchObject({ status: 'DRAFT', ...notPaused });
  });
});

describe('of a paused campaign', () => {
  it('the audience is frozen, in parts too, and nothing of it is sent', async () => {
    await people(test, project, 5);
    const { id } = await createCampaign.run(project.ctx, { ...content, audienceType: 'ALL' });
    await sendCampaign.run(project.ctx, { id });
    await pause(id);
    expect(await readCampaignStep(test.services, id, Date.now())).toEqual({ kind: 'freeze' });
    await freezeAudience(test.services, id, 2);
    expect(new Set(await heldOf(id))).toEqual(new Set([true]));
    expect(await claimed()).toEqual([]);
    expect(await readCampaignStep(test.services, id, Date.now())).toEqual({ kind: 'watch' });
    expect(await closeLedger(test.services, id)).toBe(false);
    await resume(id);
    expect(await claimed()).toHaveLength(5);
  });

  it('emails that are retried wait as well', async () => {
    await people(test, project, 2);
    const id = await frozenCampaign(test, project);
    const [emailId] = await settleSome(test, id, 'FAILED', 1);
    const failed = await prisma().email.findUniqueOrThrow({ where: { id: emailId ?? '' } });
    await prisma().recipientLog.create({
      data: {
        ...{ id: newId(), campaignId: id, status: 'FAILED', at: failed.updatedAt },
        ...{ firstId: failed.id, lastId: failed.id, count: 1, emailIds: [failed.id] },
      },
    });
    await pause(id);
    expect(await retryCampaign.run(project.ctx, { id, statuses: ['FAILED'] })).toEqual({ requeued: 1 });
    expect(await read(id)).toMatchObject(paused);
    expect(await heldOf(id)).toEqual([true, true]);
    await resume(id);
    expect(await claimed()).toHaveLength(2);
  });

  it('a cancellation skips everything, and ends the pause', async () => {
    await people(test, project, 3);
    const id = await frozenCampaign(test, project);
    await pause(id);
    expect(await cancelCampaign.run(project.ctx, { id })).toMatchObject({
      status: 'CANCELLED',
      ...notPaused,
    });
    expect(await read(id)).toMatchObject({ skippedCount: 3 });
    expect(await heldOf(id)).toEqual([]);
  });

  it('the end comes as ever once nothing is open, and ends the pause', async () => {
    await people(test, project, 2);
    const id = await frozenCampaign(test, project);
    await pause(id);
    await settleSome(test, id, 'SENT', 2);
    expect(await closeLedger(test.services, id)).toBe(true);
    expect(await read(id)).toMatchObject({ status: 'SENT', ...notPaused });
  });

  it('a project that is disabled ends the pause with the campaign', async () => {
    await people(test, project, 1);
    const id = await frozenCampaign(test, project);
    await pause(id);
    await prisma().project.update({ where: { id: project.id }, data: { disabled: true } });
    await cancelOfDisabledProject(prisma(), project.id);
    expect(await prisma().campaign.findUniqueOrThrow({ where: { id } })).toMatchObject({
      ...{ status: 'CANCELLED', ...notPaused },
    });
  });

  it('pauses, ends of pauses and cancellations at once leave one of their orders, and nothing held for long', async () => {
    await people(test, project, 4);
    for (let round = 0; round < 6; round += 1) {
      const id = await frozenCampaign(test, project);
      const ignore = () => undefined;
      await pause(id);
      await Promise.all([
        resume(id).catch(ignore),
        pause(id).catch(ignore),
        ...(round % 2 === 0 ? [cancelCampaign.run(project.ctx, { id }).catch(ignore)] : []),
      ]);
      await settlePauses(prisma());
      const { status, pausedAt } = await read(id);
      if (round % 2 === 0) expect([status, await heldOf(id)]).toEqual(['CANCELLED', []]);
      else expect(new Set(await heldOf(id))).toEqual(new Set([pausedAt !== null]));
      if (status === 'SENDING') await cancelCampaign.run(project.ctx, { id });
    }
  });
});
