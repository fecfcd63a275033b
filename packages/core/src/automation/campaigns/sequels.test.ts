import fc, { runs } from '@postrider/vitest/fast-check.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Prisma } from '../../base/db/index.ts';
import { excluded } from '../../mail/eligibility/index.ts';
import { countersOf, openTestLedger, type TestLedger } from '../../mail/ledger/ledger.fixture.ts';
import { type TestProject, type TestServices, verifiedDomain } from '../../testing/index.ts';
import { inCampaign, writeAudience } from './audience-parts.rules.ts';
import { liveAudience } from './campaign-audience.ts';
import { content, frozenCampaign, having, people, settleSome, withoutHints } from './campaigns.fixture.ts';
import { cancelCampaign } from './cancel-campaign.ts';
import { skipBatch } from './clear-campaign.ts';
import { closeLedger } from './close-campaign.ts';
import { createCampaign } from './create-campaign.ts';
import { createSequel } from './create-sequel.ts';
import { deleteCampaign } from './delete-campaign.ts';
import { duplicateCampaign } from './duplicate-campaign.ts';
import { freezeAudience } from './freeze-audience.ts';
import { getCampaign } from './get-campaign.ts';
import { getCampaignAudience } from './get-campaign-audience.ts';
import { listCampaigns } from './list-campaigns.ts';
import { preflightCampaign } from './preflight-campaign.ts';
import { previewAudience } from './preview-audience.ts';
import { retryCampaign } from './retry-campaign.ts';
import { sendCampaign } from './send-campaign.ts';
import type { SequelKind } from './sequels.rules.ts';
import { updateCampaign } from './update-campaign.ts';

/** Sequels of a campaign (behaviour B13.3), with the statements of the ledger on a real database. */
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
const sequelOf = async (id: string, kind: SequelKind, name?: string) =>
  createSequel.run(project.ctx, { id, kind, name });
const statusIs = (id: string, status: 'SENT' | 'CANCELLED') =>
  prisma().campaign.update({ where: { id }, data: { status } });
const emailsOf = (id: string) =>
  prisma().email.findMany({ where: { campaignId: id }, orderBy: { contactId: 'asc' } });
/** Contacts of the emails of a campaign in a state, or with a reason. */
const contactsOf = async (id: string, state: string): Promise<string[]> =>
  (await emailsOf(id))
    .filter(({ status, reason }) => status === state || reason === state)
    .map(({ contactId }) => contactId ?? '');

/** Sends a draft and freezes its audience. */
async function start(id: string, size?: number): Promise<void> {
  await sendCampaign.run(project.ctx, { id });
  await freezeAudience(test.services, id, size);
}

/** Delivers all that waits, as delivery processes do. */
async function deliverAll(): Promise<void> {
  for (;;) {
    const held = await ledger.take(project.id, { kind: 'bulk' });
    if (held.length === 0) return;
    for (const batch of held) await batch.settle({ outcome: 'sent' });
  }
}

/** A campaign to all contacts whose emails were sent, but for those that are said to have failed. */
async function sentCampaign(input: object = {}, failed = 0): Promise<string> {
  const id = await frozenCampaign(test, project, input);
  if (failed > 0) await settleSome(test, id, 'FAILED', failed);
  await deliverAll();
  await closeLedger(test.services, id);
  expect(await getCampaign.run(project.ctx, { id })).toMatchObject({ status: 'SENT' });
  return id;
}

async function cancelledCampaign(sent: number): Promise<string> {
  const id = await frozenCampaign(test, project);
  await settleSome(test, id, 'SENT', sent);
  await cancelCampaign.run(project.ctx, { id });
  while ((await skipBatch(test.services, id)) > 0);
  return id;
}

/** That an email happened to these contacts. */
const happened = (campaignId: string, column: 'openedAt' | 'clickedAt', contactIds: string[]) =>
  prisma().email.updateMany({
    where: { campaignId, contactId: { in: contactIds } },
    data: { [column]: new Date() },
  });

describe('REST', () => {
  it('after a cancel at any moment, those who got the campaign and those who get the sequel are its audience, and none is both', async () => {
    await people(test, project, 40);
    const moment = fc.record({
      size: fc.integer({ min: 1, max: 50 }),
      isFreezing: fc.boolean(),
      delivered: fc.array(fc.integer({ min: 1, max: 15 }), { maxLength: 4 }),
      inHand: fc.integer({ min: 0, max: 10 }),
      begun: fc.integer({ min: 0, max: 10 }),
    });
    await fc.assert(
      fc.asyncProperty(moment, async ({ size, isFreezing, delivered, inHand, begun }) => {
        const { id } = await createCampaign.run(project.ctx, { ...content, audienceType: 'ALL' });
        await sendCampaign.run(project.ctx, { id });
        const freezing = freezeAudience(test.services, id, size);
        if (!isFreezing) await freezing;
        for (const maxEmails of delivered)
          for (const batch of await ledger.take(project.id, { kind: 'bulk', maxEmails }))
            await batch.settle({ outcome: 'sent' });
        const [held] = inHand > 0 ? await ledger.take(project.id, { kind: 'bulk', maxEmails: inHand }) : [];
        const going = held?.emails.slice(0, begun) ?? [];
        if (held && going.length > 0) await held.begin(...going);
        await cancelCampaign.run(project.ctx, { id });
        if (held) {
          await expect(sequelOf(id, 'REST')).rejects.toMatchObject({ code: 'CONFLICT' });
          for (const [index, { n }] of held.emails.entries())
            held.answer(n, { outcome: index < going.length ? 'sent' : 'giveback' });
          await held.record();
          await held.write();
        }
        await freezing;
        while ((await skipBatch(test.services, id)) > 0);

        const frozen = (await emailsOf(id)).map(({ contactId }) => contactId ?? '');
        const got = await contactsOf(id, 'SENT');
        const { id: restId } = await sequelOf(id, 'REST');
        if (got.length === frozen.length)
          await expect(sendCampaign.run(project.ctx, { id: restId })).rejects.toMatchObject({
            code: 'BAD_REQUEST',
          });
        else await start(restId, size);
        await deliverAll();
        const rest = await contactsOf(restId, 'SENT');
        expect([...got, ...rest].toSorted()).toEqual(frozen.toSorted());
        expect(new Set([...got, ...rest]).size).toBe(frozen.length);
      }),
      { numRuns: runs(12), interruptAfterTimeLimit: 100_000 },
    );
  }, 120_000);

  it('of two at once each contact gets one, and the other email is SKIPPED duplicate', async () => {
    await people(test, project, 60);
    const id = await cancelledCampaign(10);
    const [one, two] = [await sequelOf(id, 'REST'), await sequelOf(id, 'REST')];
    expect([one.name, two.name]).toEqual(['Spring (2)', 'Spring (3)']);
    await sendCampaign.run(project.ctx, { id: one.id });
    await sendCampaign.run(project.ctx, { id: two.id });
    await Promise.all([freezeAudience(test.services, one.id, 7), freezeAudience(test.services, two.id, 11)]);
    const waiting = [...(await contactsOf(one.id, 'PENDING')), ...(await contactsOf(two.id, 'PENDING'))];
    expect(waiting.toSorted()).toEqual((await contactsOf(id, 'SKIPPED')).toSorted());
    let duplicates = 0;
    for (const each of [one, two]) {
      const { totalRecipients, skippedCount } = await getCampaign.run(project.ctx, { id: each.id });
      expect(totalRecipients).toBe(50);
      expect((await countersOf(test, each.id)).skips).toEqual(
        skippedCount > 0 ? { duplicate: skippedCount } : {},
      );
      duplicates += skippedCount;
    }
    expect(duplicates).toBe(50);
  });

  it('is of a cancelled campaign whose waiting emails are skipped', async () => {
    await people(test, project, 3);
    const id = await frozenCampaign(test, project);
    for (const kind of ['REST', 'NEW'] as const)
      await expect(sequelOf(id, kind)).rejects.toMatchObject({ code: 'CONFLICT' });
    await statusIs(id, 'SENT');
    await expect(sequelOf(id, 'REST')).rejects.toThrow('A campaign that is SENT cannot have a sequel REST');
    await statusIs(id, 'CANCELLED');
    await expect(sequelOf(id, 'REST')).rejects.toThrow('still being cancelled');
    await expect(sequelOf(id, 'NEW')).rejects.toThrow('still being cancelled');
    while ((await skipBatch(test.services, id)) > 0);
    expect(await sequelOf(id, 'REST')).toMatchObject({ status: 'DRAFT', totalRecipients: 3 });
  });
});

it('whether a contact has an email of a campaign is looked up by both, while statistics know nothing of that campaign', async () => {
  await people(test, project, 200);
  for (let count = 0; count < 3; count += 1) await frozenCampaign(test, project);
  await prisma().$executeRaw`ANALYZE "Email"`;
  const id = await frozenCampaign(test, project);
  const condition = await liveAudience(prisma(), project.id, {
    audienceType: 'FILTERED',
    audienceCondition: writeAudience({ include: [[inCampaign(id, 'cancelled')]], exclude: [] }),
  });
  const hasEmail = excluded.duplicate({
    project: Prisma.sql`c."projectId"`,
    instead: { contact: Prisma.sql`c."id"`, campaigns: [id] },
  });
  const indexesOf = (sql: Prisma.Sql) =>
    prisma().$transaction(async (db) => {
      // As in a table of many pages.
      await db.$executeRaw`SET LOCAL enable_seqscan = off`;
      await db.$executeRaw`SET LOCAL enable_bitmapscan = off`;
      const rows = await db.$queryRaw<{ 'QUERY PLAN': string }[]>(Prisma.sql`EXPLAIN ${sql}`);
      return rows.flatMap((row) => /"(Email_\w+)"/.exec(row['QUERY PLAN'])?.[1] ?? []);
    });
  const byContact = Prisma.sql`
    SELECT c."id", ${hasEmail}, CASE WHEN c."subscribed" THEN ${condition} END FROM "Contact" c WHERE c."projectId" = ${project.id}::uuid`;
  expect(await indexesOf(byContact)).toEqual(['Email_campaign_contact', 'Email_campaign_contact']);
  const inOrder = Prisma.sql`
    SELECT * FROM "Email" WHERE "campaignId" = ${id}::uuid AND "toHash" > '\\x01' ORDER BY "toHash" LIMIT 100`;
  expect(await indexesOf(inOrder)).toEqual(['Email_campaign_address']);
});

describe('NEW', () => {
  it('goes to the audience as it is now, without those who have the email', async () => {
    await people(test, project, 4, { data: { plan: 'gold' } });
    const id = await sentCampaign({ audienceType: 'FILTERED', audienceCondition: having('plan', 'gold') }, 1);
    const [failed = ''] = await contactsOf(id, 'FAILED');
    const got = await contactsOf(id, 'SENT');
    const later = await people(test, project, 2, { data: { plan: 'gold' } });
    await people(test, project, 1, { data: { plan: 'silver' } });
    const sequel = await sequelOf(id, 'NEW', 'For those who came later');
    expect(sequel).toMatchObject({
      ...{ name: 'For those who came later', audienceType: 'FILTERED', familyId: id, round: 1 },
      audienceCondition: having('plan', 'gold'),
    });
    const counts = { matched: 6, willSend: 3, skipped: { duplicate: 3 } };
    expect(await getCampaignAudience.run(project.ctx, { id: sequel.id })).toMatchObject(counts);
    expect(await preflightCampaign.run(project.ctx, { id: sequel.id })).toMatchObject({
      recipients: 3,
      duplicates: 3,
    });
    const typed = { audienceType: 'FILTERED', audienceCondition: having('plan', 'gold') };
    expect(await previewAudience.runRaw(project.ctx, { ...typed, campaignId: sequel.id })).toMatchObject(
      counts,
    );
    const alone = await previewAudience.runRaw(project.ctx, typed);
    expect(alone).toMatchObject({ matched: 6, willSend: 6 });
    expect(alone.skipped).not.toHaveProperty('duplicate');

    await start(sequel.id);
    expect(await contactsOf(sequel.id, 'PENDING')).toEqual([failed, ...later].toSorted());
    expect(await contactsOf(sequel.id, 'duplicate')).toEqual(got.toSorted());
    expect(await getCampaign.run(project.ctx, { id: sequel.id })).toMatchObject({
      ...{ totalRecipients: 6, skippedCount: 3 },
    });
  });

  it('leaves out who is held out of the campaign; the rest of a campaign is not drawn once more', async () => {
    await people(test, project, 40);
    const id = await sentCampaign({ holdout: 50 });
    const heldOut = await contactsOf(id, 'held_out');
    expect(heldOut.length).toBeGreaterThan(5);
    const later = await people(test, project, 30);
    const sequel = await sequelOf(id, 'NEW');
    expect(sequel.holdout).toBe(50);
    expect(await getCampaignAudience.run(project.ctx, { id: sequel.id })).toMatchObject({
      ...{ matched: 70, willSend: 30, skipped: { duplicate: 40 } },
    });
    await start(sequel.id);
    const sent = await contactsOf(sequel.id, 'PENDING');
    expect(sent.length).toBeGreaterThan(5);
    expect(later).toEqual(expect.arrayContaining(sent));
    await statusIs(id, 'CANCELLED');
    expect((await sequelOf(id, 'REST')).holdout).toBe(0);
  });

  it('of a campaign to all contacts, without new ones, is refused like any empty audience', async () => {
    await people(test, project, 2);
    const id = await sentCampaign();
    const { id: sequelId } = await sequelOf(id, 'NEW');
    await expect(sendCampaign.run(project.ctx, { id: sequelId })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    expect(await getCampaignAudience.run(project.ctx, { id: sequelId })).toMatchObject({
      ...{ matched: 2, willSend: 0, skipped: { duplicate: 2 } },
    });
  });

  it('leaves nothing to a retry of the campaign: who got the sequel gets no second email', async () => {
    await people(test, project, 5);
    const id = await sentCampaign({}, 3);
    const failed = await contactsOf(id, 'FAILED');
    const { id: sequelId } = await sequelOf(id, 'NEW');
    await start(sequelId);
    await deliverAll();
    expect(await contactsOf(sequelId, 'SENT')).toEqual(failed.toSorted());
    const [spared = ''] = failed;
    await prisma().email.updateMany({
      where: { campaignId: sequelId, contactId: spared },
      data: { status: 'FAILED', sentAt: null },
    });
    expect(await retryCampaign.run(project.ctx, { id, statuses: ['FAILED'] })).toEqual({ requeued: 1 });
    expect(await contactsOf(id, 'PENDING')).toEqual([spared]);
  });

  it('a retry is refused while a sequel is frozen, and then finds its emails', async () => {
    await people(test, project, 4);
    const id = await sentCampaign({}, 4);
    const { id: sequelId } = await sequelOf(id, 'NEW');
    await sendCampaign.run(project.ctx, { id: sequelId });
    const retry = async (): Promise<number> => {
      try {
        return (await retryCampaign.run(project.ctx, { id, statuses: ['FAILED'] })).requeued;
      } catch (error) {
        expect(error).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('being started') });
        return retry();
      }
    };
    const [, requeued] = await Promise.all([freezeAudience(test.services, sequelId, 1), retry()]);
    const again = await contactsOf(id, 'PENDING');
    const first = await contactsOf(sequelId, 'PENDING');
    expect(again).toHaveLength(requeued);
    expect(new Set([...again, ...first]).size).toBe(4);
    expect(again.length + first.length).toBe(4);
  });
});

describe('by what the recipients did', () => {
  it('goes to those who got it and did not open, did not click, or did click, in the next round', async () => {
    const [opened = '', clicked = '', quiet = ''] = await people(test, project, 3);
    const [failed = ''] = await people(test, project, 1);
    const id = await frozenCampaign(test, project);
    const email = await prisma().email.findFirstOrThrow({ where: { campaignId: id, contactId: failed } });
    await prisma().email.update({ where: { id: email.id }, data: { status: 'FAILED', batchId: null } });
    await prisma().email.updateMany({
      where: { campaignId: id, contactId: { not: failed } },
      data: { status: 'SENT', sentAt: new Date(), batchId: null },
    });
    await prisma().deliveryBatch.deleteMany({ where: { campaignId: id } });
    await statusIs(id, 'SENT');
    await happened(id, 'openedAt', [opened, clicked]);
    await happened(id, 'clickedAt', [clicked]);
    const expected = {
      NOT_OPENED: [quiet],
      NOT_CLICKED: [opened, quiet],
      CLICKED: [clicked],
    };
    for (const [kind, whom] of Object.entries(expected)) {
      const sequel = await sequelOf(id, kind as SequelKind);
      expect(sequel).toMatchObject({ familyId: id, round: 2, audienceType: 'FILTERED' });
      await start(sequel.id);
      const all = (await emailsOf(sequel.id)).map(({ contactId }) => contactId);
      expect(all, kind).toEqual(whom.toSorted());
    }
    // The second one of the round has left out whom the first one mailed.
    const [, , second] = await prisma().campaign.findMany({
      where: { projectId: project.id },
      orderBy: { createdAt: 'asc' },
    });
    expect(await contactsOf(second?.id ?? '', 'duplicate')).toEqual([quiet]);
  });
});

describe('a family', () => {
  it('has at most 20 campaigns, and its sequels are numbered', async () => {
    await people(test, project, 1);
    const id = await sentCampaign();
    for (let number = 2; number <= 19; number += 1)
      expect((await sequelOf(id, 'CLICKED')).name).toBe(`Spring (${number})`);
    const both = await Promise.allSettled([sequelOf(id, 'CLICKED'), sequelOf(id, 'NEW')]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(sequelOf(id, 'NEW')).rejects.toThrow('A family has at most 20 campaigns');
    expect(await listCampaigns.runRaw(project.ctx, { familyId: id })).toMatchObject({ total: 20 });
  });

  it('goes on with a sequel of a sequel; a copy begins its own', async () => {
    await people(test, project, 2);
    const first = await sentCampaign();
    const { id: second } = await sequelOf(first, 'NEW');
    await statusIs(second, 'SENT');
    expect(await sequelOf(second, 'NOT_OPENED')).toMatchObject({
      ...{ name: 'Spring (3)', familyId: first, round: 2 },
    });
    const copy = await duplicateCampaign.run(project.ctx, { id: second });
    expect(copy).toMatchObject({ familyId: copy.id, round: 1 });
    expect(await getCampaign.run(project.ctx, { id: first })).toMatchObject({ familyId: first, round: 1 });
  });

  it('stays when a sequel is changed', async () => {
    await people(test, project, 2);
    const id = await sentCampaign();
    const { id: sequelId } = await sequelOf(id, 'NEW');
    const changed = {
      ...content,
      id: sequelId,
      audienceType: 'FILTERED',
      audienceCondition: having('a', 'b'),
    };
    expect(await updateCampaign.runRaw(project.ctx, changed)).toMatchObject({ familyId: id, round: 1 });
  });

  it('keeps a campaign whose emails a sequel that can still be sent has to know', async () => {
    await people(test, project, 2);
    const id = await sentCampaign();
    const { id: sequelId } = await sequelOf(id, 'NEW');
    await expect(deleteCampaign.run(project.ctx, { id })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { usedBy: { campaigns: [{ id: sequelId, name: 'Spring (2)' }] } },
    });
    await deleteCampaign.run(project.ctx, { id: sequelId });
    await deleteCampaign.run(project.ctx, { id });
  });

  it('is of one project', async () => {
    await people(test, project, 1);
    const id = await sentCampaign();
    const other = await ledger.newProject();
    const foreign = { code: 'CAMPAIGN_NOT_FOUND' };
    await expect(createSequel.run(other.ctx, { id, kind: 'NEW' })).rejects.toMatchObject(foreign);
    await expect(
      previewAudience.runRaw(other.ctx, { audienceType: 'ALL', campaignId: id }),
    ).rejects.toMatchObject(foreign);
    expect(await listCampaigns.runRaw(other.ctx, { familyId: id })).toMatchObject({ total: 0 });
  });
});
