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
import { deletionField, mutationField, queryField, recordField } from './fields.ts';
import { connectionField, pageField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';
import { attachedField, relationField } from './relations.ts';
import { Template } from './templates.ts';

export const Campaign = objectFromZod(getCampaign.output);
const CampaignStats = objectFromZod(getCampaignStats.output);
const CampaignAudience = objectFromZod(getCampaignAudience.output);
const CampaignRecipient = objectFromZod(listRecipients.output.shape.data.element);
const SentCampaign = objectFromZod(sendCampaign.output);
const TestEmail = objectFromZod(testCampaign.output);
const RetriedCampaign = objectFromZod(retryCampaign.output);

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
queryField('campaignAudience', getCampaignAudience, CampaignAudience);
