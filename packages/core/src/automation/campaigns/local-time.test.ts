import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clockOf } from '../../base/lib/index.ts';
import { openTestLedger, type TestLedger } from '../../mail/ledger/ledger.fixture.ts';
import { getEmail } from '../../mail/sending/index.ts';
import { type TestProject, type TestServices, verifiedDomain } from '../../testing/index.ts';
import { startCampaign } from './campaign-delivery.ts';
import { content, people, withoutHints } from './campaigns.fixture.ts';
import { createCampaign } from './create-campaign.ts';
import { duplicateCampaign } from './duplicate-campaign.ts';
import { freezeAudience } from './freeze-audience.ts';
import { getCampaign } from './get-campaign.ts';
import { getCampaignStats } from './get-campaign-stats.ts';
import { pauseCampaign } from './pause-campaign.ts';
import { resumeCampaign } from './resume-campaign.ts';
import { sendCampaign } from './send-campaign.ts';
import { unscheduleCampaign } from './unschedule-campaign.ts';
import { updateCampaign } from './update-campaign.ts';

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

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const prisma = () => test.services.database.prisma;
const draft = (input: object = {}) =>
  createCampaign.run(project.ctx, { ...content, audienceType: 'ALL', ...input });

/** What clocks of UTC show at a time, to the minute. */
const clockText = (at: number): string => new Date(at).toISOString().slice(0, 16);
const inADay = () => clockText(Date.now() + dayMs);

const momentIn = (zone: string, localTime: string): number =>
  clockOf(zone).firstAt(Date.parse(`${localTime}:00Z`));

async function inZone(timezone: string | null, count = 1): Promise<string[]> {
  return people(test, project, count, { data: timezone === null ? {} : { timezone } });
}

/** The moments at which emails are due, by the id of the contact. */
async function dueByContact(campaignId: string): Promise<Map<string, number>> {
  const rows = await prisma().$queryRaw<{ contactId: string; at: Date }[]>`
    SELECT e."contactId", b."nextAttemptAt" AS "at" FROM "Email" e JOIN "DeliveryBatch" b ON b."id" = e."batchId"
    WHERE e."campaignId" = ${campaignId}::uuid`;
  return new Map(rows.map(({ contactId, at }) => [contactId, at.getTime()]));
}

describe('sending at a local time', () => {
  it('is scheduled for its moment in the first zone of the world, and each email is due by the clocks of its contact', async () => {
    const zones = [
      'Asia/Tokyo',
      'europe/BERLIN',
      'US/Pacific',
      'Asia/Kolkata',
      'Pacific/Kiritimati',
      'Etc/GMT+12',
    ];
    const contacts = new Map<string, string>();
    for (const zone of zones) for (const id of await inZone(zone, 3)) contacts.set(id, zone);
    await prisma().project.update({ where: { id: project.id }, data: { timeZone: 'America/New_York' } });
    for (const unknown of [null, 'Mars/Olympus', '+02:00', ''])
      for (const id of await inZone(unknown)) contacts.set(id, 'America/New_York');
    const localTime = inADay();
    const { id } = await draft();
    const sent = await sendCampaign.run(project.ctx, { id, localTime });
    const first = new Date(momentIn('Pacific/Kiritimati', localTime));
    const told = { at: localTime, whenPassed: 'NEXT_DAY' };
    expect(sent).toMatchObject({ status: 'SCHEDULED', scheduledFor: first.toISOString(), localTime: told });
    // Late by a while, as after an outage: nothing is put off by a day.
    await startCampaign(test.services, id, first.getTime() + 3 * hourMs);
    await freezeAudience(test.services, id);
    expect(await getCampaign.run(project.ctx, { id })).toMatchObject({ status: 'SENDING', localTime: told });
    const due = await dueByContact(id);
    expect(due.size).toBe(contacts.size);
    for (const [contactId, zone] of contacts)
      expect([zone, due.get(contactId)]).toEqual([zone, momentIn(zone, localTime)]);
  });

  it('starts at once where the first zone is due; where it is over, it is the next day, or at once', async () => {
    const [far] = await inZone('Pacific/Auckland');
    const [near] = await inZone('Etc/GMT+12');
    const localTime = clockText(Date.now());
    for (const whenPassed of ['NEXT_DAY', 'NOW'] as const) {
      const { id } = await draft();
      const begun = Date.now();
      const sent = await sendCampaign.run(project.ctx, { id, localTime, whenPassed });
      expect(sent).toMatchObject({
        status: 'SENDING',
        scheduledFor: null,
        localTime: { at: localTime, whenPassed },
      });
      await freezeAudience(test.services, id);
      const due = await dueByContact(id);
      expect(due.get(near ?? '')).toBe(momentIn('Etc/GMT+12', localTime));
      const later = due.get(far ?? '') ?? 0;
      if (whenPassed === 'NOW') expect(Math.abs(later - begun)).toBeLessThan(60_000);
      else
        expect(later).toBe(momentIn('Pacific/Auckland', clockText(Date.parse(`${localTime}:00Z`) + dayMs)));
    }
  });

  it('a day that is over there as well is left out', async () => {
    const [east] = await inZone('Pacific/Kiritimati');
    // Not over 12 hours behind, and 25 hours ago where clocks are 14 ahead.
    const localTime = clockText(Date.now() - 11 * hourMs);
    const { id } = await draft();
    await sendCampaign.run(project.ctx, { id, localTime });
    await freezeAudience(test.services, id);
    const due = (await dueByContact(id)).get(east ?? '') ?? 0;
    expect(due).toBe(momentIn('Pacific/Kiritimati', localTime) + 2 * dayMs);
  });

  it('frozen in parts has the same waves, whose numbers add up, and whose emails are due together', async () => {
    for (const zone of ['Asia/Tokyo', 'Europe/Berlin', 'Europe/Paris', 'America/Chicago'])
      await inZone(zone, 30);
    await people(test, project, 5, { data: { timezone: 'Asia/Tokyo' }, subscribed: false });
    const { id } = await draft();
    await sendCampaign.run(project.ctx, { id, localTime: inADay() });
    await startCampaign(test.services, id, Date.now() + 2 * dayMs);
    await freezeAudience(test.services, id, 7);
    const { waves } = await getCampaignStats.run(project.ctx, { id });
    expect(waves.map(({ kind, recipients, done }) => ({ kind, recipients, done }))).toEqual([
      { kind: 'local', recipients: 30, done: 0 },
      { kind: 'local', recipients: 60, done: 0 },
      { kind: 'local', recipients: 30, done: 0 },
    ]);
    const batches = await prisma().deliveryBatch.findMany({ where: { campaignId: id } });
    const dueAt = new Map(waves.map(({ wave, dueAt: at }) => [wave, at]));
    for (const { wave, nextAttemptAt, held } of batches)
      expect([dueAt.get(wave), held]).toEqual([nextAttemptAt.toISOString(), false]);
  });

  it('waits for its time alone: what is due is claimed, and the page shows how far each wave is', async () => {
    await inZone('Asia/Tokyo', 10);
    const [waiting] = await inZone('America/Chicago', 10);
    const { id } = await draft();
    await sendCampaign.run(project.ctx, { id, localTime: inADay() });
    await startCampaign(test.services, id, Date.now() + 2 * dayMs);
    await freezeAudience(test.services, id);
    expect(await ledger.take(project.id, { kind: 'bulk' })).toEqual([]);
    // The time comes in Tokyo.
    await prisma()
      .$executeRaw`UPDATE "CampaignWave" SET "dueAt" = "dueAt" - interval '2 days' WHERE "campaignId" = ${id}::uuid AND "recipients" = 10
      AND "dueAt" = (SELECT min("dueAt") FROM "CampaignWave" WHERE "campaignId" = ${id}::uuid)`;
    await prisma().$executeRaw`UPDATE "DeliveryBatch" b SET "nextAttemptAt" = w."dueAt" FROM "CampaignWave" w
      WHERE b."campaignId" = w."campaignId" AND b."wave" = w."wave" AND w."campaignId" = ${id}::uuid`;
    const [batch, ...more] = await ledger.take(project.id, { kind: 'bulk' });
    expect(more).toEqual([]);
    expect(batch?.emails).toHaveLength(10);
    const email = await prisma().email.findFirstOrThrow({
      where: { campaignId: id, contactId: waiting ?? '' },
    });
    const shown = await getEmail.run(project.ctx, { id: email.id });
    expect(shown).toMatchObject({ status: 'PENDING', heldBy: 'schedule' });
    expect(shown.estimatedSendAt).toBe(shown.nextAttemptAt);
    const { waves } = await getCampaignStats.run(project.ctx, { id });
    expect(waves.map(({ releasedAt }) => releasedAt !== null)).toEqual([true, false]);
  });

  it('is paused and resumed with its times', async () => {
    await inZone('Asia/Tokyo', 3);
    await inZone('America/Chicago', 3);
    const { id } = await draft();
    await sendCampaign.run(project.ctx, { id, localTime: inADay() });
    await startCampaign(test.services, id, Date.now() + 2 * dayMs);
    await freezeAudience(test.services, id);
    const before = await dueByContact(id);
    await pauseCampaign.run(project.ctx, { id });
    const isHeld = async () =>
      (await prisma().deliveryBatch.findMany({ where: { campaignId: id } })).map(({ held }) => held);
    expect(await isHeld()).toEqual([true, true]);
    await resumeCampaign.run(project.ctx, { id });
    await expect.poll(isHeld).toEqual([false, false]);
    expect(await dueByContact(id)).toEqual(before);
  });
});

describe('what is refused, and what clears it', () => {
  beforeEach(() => inZone('Asia/Tokyo'));

  it.each([
    ['a time with a zone', { localTime: '2099-03-01T09:30Z' }, 'localTime', 'invalid_date'],
    ['a day alone', { localTime: '2099-03-01' }, 'localTime', 'invalid_date'],
    ['a day that does not exist', { localTime: '2099-02-30T09:30' }, 'localTime', 'invalid_date'],
    ['an hour that does not exist', { localTime: '2099-03-01T24:00' }, 'localTime', 'invalid_date'],
    [
      'two times',
      { localTime: '2099-03-01T09:30', scheduledFor: '2099-03-01T09:30:00Z' },
      'localTime',
      'custom',
    ],
    [
      'two times by the other name',
      { localTime: '2099-03-01T09:30', scheduledAt: 4e12 },
      'localTime',
      'custom',
    ],
    ['a choice without a time', { whenPassed: 'NOW' as const }, 'whenPassed', 'custom'],
  ])('%s is 422', async (_, input, field, code) => {
    const { id } = await draft();
    await expect(sendCampaign.run(project.ctx, { id, ...input })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [expect.objectContaining({ field, code })],
    });
    expect(await getCampaign.run(project.ctx, { id })).toMatchObject({ status: 'DRAFT', localTime: null });
  });

  it('a time that is over in every zone is 400', async () => {
    const { id } = await draft();
    const localTime = clockText(Date.now() - 13 * hourMs);
    await expect(sendCampaign.run(project.ctx, { id, localTime })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  it.each([{ perHour: 600 }, { careful: true }])(
    'a campaign with the pace %j has none, in either order',
    async (pace) => {
      const localTime = inADay();
      const { id: paced } = await draft({ pace });
      await expect(sendCampaign.run(project.ctx, { id: paced, localTime })).rejects.toMatchObject({
        errors: [expect.objectContaining({ field: 'localTime', code: 'custom' })],
      });
      const { id } = await draft();
      await sendCampaign.run(project.ctx, { id, localTime });
      const change = { id, ...content, audienceType: 'ALL' as const };
      await expect(updateCampaign.run(project.ctx, { ...change, pace })).rejects.toMatchObject({
        errors: [expect.objectContaining({ field: 'pace', code: 'custom' })],
      });
      expect(await updateCampaign.run(project.ctx, change)).toMatchObject({ localTime: { at: localTime } });
    },
  );

  it('unscheduling clears it, and so does sending at another time; a copy has none', async () => {
    const { id } = await draft();
    await sendCampaign.run(project.ctx, { id, localTime: inADay() });
    expect(await duplicateCampaign.run(project.ctx, { id })).toMatchObject({ localTime: null });
    const scheduledFor = new Date(Date.now() + dayMs).toISOString();
    expect(await sendCampaign.run(project.ctx, { id, scheduledFor })).toMatchObject({
      scheduledFor,
      localTime: null,
    });
    await sendCampaign.run(project.ctx, { id, localTime: inADay() });
    expect(await unscheduleCampaign.run(project.ctx, { id })).toMatchObject({
      scheduledFor: null,
      localTime: null,
    });
    expect(await getCampaign.run(project.ctx, { id })).toMatchObject({ status: 'DRAFT', localTime: null });
  });
});
