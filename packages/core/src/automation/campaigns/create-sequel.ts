import { readsOfAudience } from '../../audience/segments/index.ts';
import { command, conflict, projectIdOf, suggestions } from '../../base/kernel/index.ts';
import { presentDesign } from '../../content/templates/index.ts';
import { isDrained, withExpiredEmails } from '../../mail/ledger/index.ts';
import { assertStorage } from '../../people/storage/index.ts';
import { writeAudience } from './audience-parts.rules.ts';
import { emailsExpired } from './campaigns.rules.ts';
import { campaignNameLimit, campaignRecord, createSequelInput } from './campaigns.schema.ts';
import {
  type DesignedCampaign,
  findCampaign,
  lockCampaign,
  storedBytesOfCampaign,
} from './campaigns.store.ts';
import { copyCampaign, type StoredAudience } from './copy-campaign.ts';
import { countFamily, isRoundExpired } from './family.store.ts';
import { campaignNotFound } from './get-campaign.ts';
import { presentCampaign } from './present-campaign.ts';
import { assertFollowable, mostOfFamily, nameOfSequel, sequels } from './sequels.rules.ts';
import { contentOfVariant, numberOfKey } from './variants/variants.rules.ts';

export const createSequel = command({
  name: 'campaigns.createSequel',
  summary: 'Creates a draft for a part of those that a campaign was for, such as those who did not get it',
  permission: 'data:write',
  risk: 'none',
  errors: ['BAD_REQUEST', 'FORBIDDEN', 'CAMPAIGN_NOT_FOUND', 'CONFLICT'],
  input: createSequelInput,
  output: campaignRecord,
  async prepare(ctx, { id }) {
    const projectId = projectIdOf(ctx);
    await assertStorage(ctx.services, projectId, await storedBytesOfCampaign(ctx.db, projectId, id));
  },
  async handler(ctx, { id, kind, name }) {
    const projectId = projectIdOf(ctx);
    // A retry waits, so that the campaign does not go on while it gets a sequel.
    await lockCampaign(ctx.db, projectId, id);
    const campaign = await findCampaign(ctx.db, projectId, id);
    if (!campaign) throw campaignNotFound();
    assertFollowable(kind, campaign.status);
    const { sameRound, audience } = sequels[kind];
    if ((await withExpiredEmails(ctx.db, [id])).size > 0) throw emailsExpired('of the campaign');
    if (sameRound && (await isRoundExpired(ctx.db, campaign))) throw emailsExpired('of its family');
    // Emails that still wait would count as those that their contacts get.
    if (sameRound && !(await isDrained(ctx.db, id)))
      throw conflict('Emails of the campaign are still being cancelled', {
        suggestion: suggestions.CONFLICT.campaignDrains,
      });
    const { familyId } = campaign;
    const size = await countFamily(ctx.db, projectId, familyId);
    if (size >= mostOfFamily)
      throw conflict(`A family has at most ${mostOfFamily} campaigns`, {
        suggestion: suggestions.CONFLICT.mostOfFamily,
      });
    const sequel = await copyCampaign(
      ctx,
      // Those whose email was not sent are what the draw has left.
      kind === 'REST' ? { ...campaign, ...contentOfRest(campaign), holdout: 0, test: null } : campaign,
      name ?? nameOfSequel(campaign.name, size + 1, familyId !== id, campaignNameLimit),
      audience ? filtered(writeAudience(audience(id))) : campaign,
      { familyId, round: campaign.round + (sameRound ? 0 : 1) },
    );
    ctx.audit({ targetType: 'campaign', targetId: sequel.id });
    return presentCampaign(ctx, presentDesign(sequel));
  },
});

/** What those would have got whose email was not sent: the winner of a test, and else its own content. */
function contentOfRest(campaign: DesignedCampaign) {
  const { test, design } = campaign;
  if (!test?.winner) return {};
  const number = numberOfKey(test.winner);
  const own = test.variants[number - 2];
  return {
    ...contentOfVariant(campaign, test, number),
    design: own?.body === undefined ? design : (own.design ?? null),
  };
}

function filtered(audienceCondition: ReturnType<typeof writeAudience>): StoredAudience {
  const audience = { audienceType: 'FILTERED' as const, segmentId: null, audienceCondition };
  return { ...audience, reads: readsOfAudience(audience) };
}
