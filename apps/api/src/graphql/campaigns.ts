import {
  cancelCampaign,
  createCampaign,
  getCampaign,
  getCampaignStats,
  listCampaigns,
  sendCampaign,
} from '@postrider/core/campaigns';
import { mutationField, recordField } from './fields.ts';
import { pageField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';

export const Campaign = objectFromZod(getCampaign.output, 'Campaign');
const CampaignStats = objectFromZod(getCampaignStats.output, 'CampaignStats');
const SentCampaign = objectFromZod(sendCampaign.output, 'SentCampaign');

recordField('campaign', getCampaign, Campaign);
pageField('campaigns', listCampaigns, Campaign);
recordField('campaignStats', getCampaignStats, CampaignStats);
mutationField('createCampaign', createCampaign, Campaign);
mutationField('sendCampaign', sendCampaign, SentCampaign);
mutationField('cancelCampaign', cancelCampaign, Campaign);
