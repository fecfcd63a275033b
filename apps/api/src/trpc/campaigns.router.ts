import {
  cancelCampaign,
  createCampaign,
  getCampaign,
  getCampaignStats,
  listCampaigns,
  sendCampaign,
} from '@postrider/core/campaigns';
import { asMutation, asQuery, t } from './trpc.ts';

export const campaignsRouter = t.router({
  list: asQuery(listCampaigns),
  get: asQuery(getCampaign),
  stats: asQuery(getCampaignStats),
  create: asMutation(createCampaign),
  send: asMutation(sendCampaign),
  cancel: asMutation(cancelCampaign),
});
