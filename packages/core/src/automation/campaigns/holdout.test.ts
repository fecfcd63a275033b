import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestLedger, type TestLedger } from '../../mail/ledger/ledger.fixture.ts';
import { type TestProject, type TestServices, verifiedDomain } from '../../testing/index.ts';
import { frozenCampaign, people, withoutHints } from './campaigns.fixture.ts';
import { duplicateCampaign } from './duplicate-campaign.ts';
import { getCampaignStats } from './get-campaign-stats.ts';

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

/** The formula of behaviour B13.5. */
const drawOf = (campaignId: string, contactId: string): number =>
  createHash('md5').update(`${campaignId}${contactId}`).digest().readUInt32BE(0) / 2 ** 32;

it('the draw equals its formula for every contact, and nothing is sent to who is held out', async () => {
  await people(test, project, 500);
  const id = await frozenCampaign(test, project, { holdout: 20 });
  const emails = await prisma().email.findMany({ where: { campaignId: id } });
  expect(emails).toHaveLength(500);
  for (const { contactId, reason } of emails)
    expect(reason).toBe(drawOf(id, contactId ?? '') < 0.2 ? 'held_out' : null);
  const heldOut = emails.filter(({ reason }) => reason === 'held_out').length;
  expect(heldOut).toBeGreaterThan(50);
  expect(heldOut).toBeLessThan(150);
  expect(await getCampaignStats.run(project.ctx, { id })).toMatchObject({
    ...{ totalRecipients: 500, skippedCount: heldOut, pendingCount: 500 - heldOut },
    skippedReasons: { held_out: heldOut },
  });
  const claimed = await ledger.take(project.id, { kind: 'bulk', maxEmails: 1_000 });
  expect(claimed.flatMap(({ emails: each }) => each)).toHaveLength(500 - heldOut);
});

it('another campaign draws others, and a copy has the holdout but not the draw', async () => {
  await people(test, project, 300);
  const first = await frozenCampaign(test, project, { holdout: 50 });
  const second = await frozenCampaign(test, project, { holdout: 50 });
  const heldOutOf = async (campaignId: string) =>
    new Set(
      (await prisma().email.findMany({ where: { campaignId, reason: 'held_out' } })).map(
        ({ contactId }) => contactId,
      ),
    );
  const [one, other] = [await heldOutOf(first), await heldOutOf(second)];
  const both = [...one].filter((contactId) => other.has(contactId)).length;
  expect(both).toBeGreaterThan(30);
  expect(both).toBeLessThan(120);
  expect(await duplicateCampaign.run(project.ctx, { id: first })).toMatchObject({ holdout: 50 });
});
