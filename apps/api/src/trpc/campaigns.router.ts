import {
  cancelCampaign,
  createCampaign,
  deleteCampaign,
  duplicateCampaign,
  getCampaign,
  getCampaignAudience,
  getCampaignStats,
  listCampaigns,
  listRecipients,
  retryCampaign,
  sendCampaign,
  testCampaign,
  updateCampaign,
} from '@postrider/core/campaigns';
import { asMutation, asQuery, t } from './trpc.ts';

export const campaignsRouter = t.router({
  list: asQuery(listCampaigns),
  get: asQuery(getCampaign),
  stats: asQuery(getCampaignStats),
  audience: asQuery(getCampaignAudience),
  recipients: asQuery(listRecipients),
  create: asMutation(createCampaign),
  update: asMutation(updateCampaign),
  delete: asMutation(deleteCampaign),
  duplicate: asMutation(duplicateCampaign),
  send: asMutation(sendCampaign),
  cancel: asMutation(cancelCampaign),
  test: asMutation(testCampaign),
  retry: asMutation(retryCampaign),
});
