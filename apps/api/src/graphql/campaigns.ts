import {
  cancelCampaign,
  createCampaign,
  getCampaign,
  getCampaignStats,
  getStatsOfCampaigns,
  listCampaigns,
  sendCampaign,
} from '@postrider/core/campaigns';
import { getTemplates } from '@postrider/core/templates';
import { mutationField, recordField } from './fields.ts';
import { pageField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';
import { attachedField, relationField } from './relations.ts';
import { Template } from './templates.ts';

export const Campaign = objectFromZod(getCampaign.output, 'Campaign');
const CampaignStats = objectFromZod(getCampaignStats.output, 'CampaignStats');
const SentCampaign = objectFromZod(sendCampaign.output, 'SentCampaign');

recordField('campaign', getCampaign, Campaign);
pageField('campaigns', listCampaigns, Campaign);
attachedField(Campaign, 'stats', CampaignStats, getStatsOfCampaigns, 'stats');
relationField(Campaign, 'template', Template, getTemplates, ({ templateId }) => templateId);
mutationField('createCampaign', createCampaign, Campaign);
mutationField('sendCampaign', sendCampaign, SentCampaign);
mutationField('cancelCampaign', cancelCampaign, Campaign);
