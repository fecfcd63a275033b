import {
  cancelCampaign,
  createCampaign,
  deleteCampaign,
  duplicateCampaign,
  getCampaign,
  getCampaignAudience,
  getCampaignStats,
  getStatsOfCampaigns,
  listCampaigns,
  listRecipients,
  retryCampaign,
  sendCampaign,
  testCampaign,
  updateCampaign,
} from '@postrider/core/campaigns';
import { getTemplates } from '@postrider/core/templates';
import { builder } from './builder.ts';
import { deletionField, mutationField, recordField } from './fields.ts';
import { connectionField, pageField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';
import { attachedField, relationField } from './relations.ts';
import { Template } from './templates.ts';

export const Campaign = objectFromZod(getCampaign.output, 'Campaign');
const CampaignStats = objectFromZod(getCampaignStats.output, 'CampaignStats');
const CampaignAudience = objectFromZod(getCampaignAudience.output, 'CampaignAudience');
const CampaignRecipient = objectFromZod(listRecipients.output.shape.data.element, 'CampaignRecipient');
const SentCampaign = objectFromZod(sendCampaign.output, 'SentCampaign');
const TestEmail = objectFromZod(testCampaign.output, 'TestEmail');
const RetriedCampaign = objectFromZod(retryCampaign.output, 'RetriedCampaign');

recordField('campaign', getCampaign, Campaign);
pageField('campaigns', listCampaigns, Campaign);
attachedField(Campaign, 'stats', CampaignStats, getStatsOfCampaigns, 'stats');
relationField(Campaign, 'template', Template, getTemplates, ({ templateId }) => templateId);
connectionField(
  'campaignRecipients',
  listRecipients,
  CampaignRecipient,
  ({ occurredAt }) => occurredAt,
  ({ emailId }) => emailId,
);
mutationField('createCampaign', createCampaign, Campaign);
mutationField('updateCampaign', updateCampaign, Campaign);
mutationField('duplicateCampaign', duplicateCampaign, Campaign);
mutationField('sendCampaign', sendCampaign, SentCampaign);
mutationField('cancelCampaign', cancelCampaign, Campaign);
mutationField('testCampaign', testCampaign, TestEmail);
mutationField('retryCampaign', retryCampaign, RetriedCampaign);
deletionField('deleteCampaign', deleteCampaign);

builder.queryField('campaignAudience', (t) =>
  t.field({
    type: CampaignAudience,
    description: getCampaignAudience.summary,
    extensions: { operation: getCampaignAudience.name },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, { ctx }) => getCampaignAudience.run(ctx, { id }),
  }),
);
