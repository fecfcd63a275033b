import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestLedger, type TestLedger } from '../../mail/ledger/ledger.fixture.ts';
import { type TestProject, type TestServices, verifiedDomain } from '../../testing/index.ts';
import { frozenCampaign, people, withoutHints } from './campaigns.fixture.ts';
import { getCampaign } from './get-campaign.ts';

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

/** Emails by the wave of their batches, all of which are held. */
async function wavesOf(campaignId: string): Promise<Record<number, number>> {
  const batches = await test.services.database.prisma.deliveryBatch.findMany({ where: { campaignId } });
  expect(batches.every(({ held }) => held)).toBe(true);
  const counts: Record<number, number> = {};
  for (const { wave, emailIds } of batches) counts[wave] = (counts[wave] ?? 0) + emailIds.length;
  return counts;
}

it('is frozen in waves of 200, of a tenth and at least 1,000, and of the others; no batch is in two', async () => {
  await people(test, project, 1_500);
  await people(test, project, 30, { subscribed: false });
  const id = await frozenCampaign(test, project, { pace: { careful: true } });
  expect(await wavesOf(id)).toEqual({ 1: 200, 2: 1_000, 3: 300 });
  expect(await getCampaign.run(project.ctx, { id })).toMatchObject({
    ...{ totalRecipients: 1_500, pace: { perHour: null, careful: true } },
  });
});

it('with fewer than 200 has one wave', async () => {
  await people(test, project, 20);
  expect(await wavesOf(await frozenCampaign(test, project, { pace: { careful: true } }))).toEqual({ 1: 20 });
});

it('has batches of a minute of its pace', async () => {
  await people(test, project, 25);
  const id = await frozenCampaign(test, project, { pace: { perHour: 600 } });
  expect(await wavesOf(id)).toEqual({ 0: 25 });
  const batches = await test.services.database.prisma.deliveryBatch.findMany({ where: { campaignId: id } });
  expect(batches.map(({ emailIds }) => emailIds.length).sort()).toEqual([10, 10, 5]);
});
