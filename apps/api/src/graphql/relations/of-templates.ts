import { listCampaignsOfEach } from '@postrider/core/automation/campaigns';
import { getUsageOfTemplates } from '@postrider/core/content/templates';
import { listEmailsOfEach } from '@postrider/core/mail/sending';
import { Campaign } from '../campaigns.ts';
import { Email } from '../emails.ts';
import { nestedConnection } from '../lists.ts';
import { Template, TemplateUsage } from '../templates.ts';
import { attachedField } from './relation-fields.ts';

attachedField(
  Template,
  'usage',
  TemplateUsage,
  getUsageOfTemplates,
  'usage',
  'Where it is used, and how many emails were sent from it; null if it was deleted meanwhile.',
);
nestedConnection(Template, 'campaigns', listCampaignsOfEach, Campaign, {
  description: 'Campaigns whose content was copied from the template, newest first.',
  fixed: { parent: 'templateId' },
  sortedBy: ({ createdAt }) => createdAt,
});
nestedConnection(Template, 'emails', listEmailsOfEach, Email, {
  description: 'Emails that were made from the template, newest first.',
  fixed: { parent: 'templateId' },
  sortedBy: ({ createdAt }) => createdAt,
});
