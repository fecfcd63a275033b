import { listCalendar } from '@postrider/core/automation/calendar';
import {
  adviseTest,
  cancelCampaign,
  createCampaign,
  createSequel,
  decideTest,
  deleteCampaign,
  duplicateCampaign,
  getCampaign,
  getCampaignAudience,
  getCampaignStats,
  listCampaigns,
  listRecipients,
  pauseCampaign,
  preflightCampaign,
  preflightDraft,
  previewAudience,
  resumeCampaign,
  retryCampaign,
  sendCampaign,
  testCampaign,
  unscheduleCampaign,
  updateCampaign,
} from '@postrider/core/automation/campaigns';
import { deletionField, mutationField, queryField, recordField } from './fields.ts';
import { connectionField, pageField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';

export const Campaign = objectFromZod(getCampaign.output);
export const CampaignStats = objectFromZod(getCampaignStats.output);
const CampaignAudience = objectFromZod(getCampaignAudience.output);
export const CampaignRecipient = objectFromZod(listRecipients.output.shape.data.element);
export const recipientFlags = { expired: listRecipients.output.shape.expired.description ?? '' };
const Calendar = objectFromZod(listCalendar.output);
const CampaignPreflight = objectFromZod(preflightCampaign.output);
const SentCampaign = objectFromZod(sendCampaign.output);
const CampaignTestAdvice = objectFromZod(adviseTest.output);
const TestEmail = objectFromZod(testCampaign.output);
const RetriedCampaign = objectFromZod(retryCampaign.output);

recordField('campaign', getCampaign, Campaign);
pageField('campaigns', listCampaigns, Campaign);
connectionField(
  'campaignRecipients',
  listRecipients,
  CampaignRecipient,
  ({ occurredAt }) => occurredAt,
  ({ emailId }) => emailId,
  recipientFlags,
);
mutationField('createCampaign', createCampaign, Campaign);
mutationField('updateCampaign', updateCampaign, Campaign);
mutationField('duplicateCampaign', duplicateCampaign, Campaign);
mutationField('createSequel', createSequel, Campaign);
mutationField('sendCampaign', sendCampaign, SentCampaign);
mutationField('unscheduleCampaign', unscheduleCampaign, Campaign);
mutationField('pauseCampaign', pauseCampaign, Campaign);
mutationField('resumeCampaign', resumeCampaign, Campaign);
mutationField('cancelCampaign', cancelCampaign, Campaign);
mutationField('testCampaign', testCampaign, TestEmail);
mutationField('decideCampaignTest', decideTest, Campaign);
queryField('campaignTestAdvice', adviseTest, CampaignTestAdvice);
mutationField('retryCampaign', retryCampaign, RetriedCampaign);
deletionField('deleteCampaign', deleteCampaign);
queryField('campaignCalendar', listCalendar, Calendar);
queryField('campaignStats', getCampaignStats, CampaignStats);
queryField('campaignAudience', getCampaignAudience, CampaignAudience);
queryField('audiencePreview', previewAudience, CampaignAudience);
queryField('campaignPreflight', preflightCampaign, CampaignPreflight);
queryField('campaignDraftPreflight', preflightDraft, CampaignPreflight);
