import { z } from 'zod';
import { transactionTime } from '../../../base/db/index.ts';
import {
  assertSenderAllowed,
  command,
  conflict,
  projectIdOf,
  requiredEnum,
  suggestions,
  uuid,
} from '../../../base/kernel/index.ts';
import { presentDesign } from '../../../content/templates/index.ts';
import { deliverCampaignJob } from '../campaigns.jobs.ts';
import { campaignRecord } from '../campaigns.schema.ts';
import { type CampaignRow, findCampaign, lockCampaign } from '../campaigns.store.ts';
import { campaignNotFound } from '../get-campaign.ts';
import { presentCampaign } from '../present-campaign.ts';
import { decideLocked, releaseRest } from './decide-locked.ts';
import { noSuchVariant } from './no-such-variant.ts';
import { testOf } from './present-test.ts';
import { contentOfVariant, keysOf, numberOfKey, type StoredTest } from './variants.rules.ts';
import { variantKey } from './variants.schema.ts';

export const decideTest = command({
  name: 'campaigns.decideTest',
  summary: 'Decides the test of a campaign: the rest of its audience gets this variant',
  permission: 'data:write',
  risk: 'mail',
  errors: ['FORBIDDEN', 'CAMPAIGN_NOT_FOUND', 'CONFLICT'],
  input: z.object({
    id: uuid.describe('Id of the campaign.'),
    winner: requiredEnum(variantKey).describe('The variant that the rest gets.'),
  }),
  output: campaignRecord,
  async handler(ctx, { id, winner }) {
    const projectId = projectIdOf(ctx);
    const campaign = await lockCampaign(ctx.db, projectId, id);
    if (!campaign) throw campaignNotFound();
    const test = assertDecidable(campaign);
    if (!keysOf(test).includes(winner)) throw noSuchVariant('winner');
    assertSenderAllowed(ctx.actor, contentOfVariant(campaign, test, numberOfKey(winner)).from);
    const at = await transactionTime(ctx.db);
    await decideLocked(ctx.db, campaign, { winner, by: 'USER', proven: null, at });
    ctx.audit({ targetType: 'campaign', targetId: id, changed: ['test.winner'] });
    ctx.afterCommit(() => releaseRest(ctx.services, { projectId, campaignId: id }));
    ctx.afterCommit(() => ctx.services.workflows.signal(deliverCampaignJob, { campaignId: id }));
    const decided = await findCampaign(ctx.db, projectId, id);
    if (!decided) throw campaignNotFound();
    return presentCampaign(ctx, presentDesign(decided));
  },
});

/** @throws AppError CONFLICT unless the test of the campaign runs, or waits for a decision */
function assertDecidable(campaign: CampaignRow): StoredTest {
  const test = testOf(campaign);
  const { status, testState } = campaign;
  const goesOn = status === 'SENDING' || status === 'SENT';
  if (test !== null && goesOn && (testState === 'RUNNING' || testState === 'UNDECIDED')) return test;
  const why =
    test === null
      ? 'The campaign has no test'
      : testState === 'DECIDED'
        ? 'The test of the campaign is decided'
        : `The test of a campaign that is ${status} cannot be decided${goesOn ? ' before its audience is frozen' : ''}`;
  throw conflict(why, { suggestion: suggestions.CONFLICT.testState });
}
