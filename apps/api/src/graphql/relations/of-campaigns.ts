import { getContacts } from '@postrider/core/audience/contacts';
import { getSegments } from '@postrider/core/audience/segments';
import { getStatsOfCampaigns, listRecipientsOfEach } from '@postrider/core/automation/campaigns';
import { getTemplates } from '@postrider/core/content/templates';
import { listEmailsOfEach } from '@postrider/core/mail/sending';
import { Campaign, CampaignRecipient, CampaignStats, recipientFlags } from '../campaigns.ts';
import { Contact } from '../contacts.ts';
import { Email } from '../emails.ts';
import { nestedConnection } from '../lists.ts';
import { Segment } from '../segments.ts';
import { Template } from '../templates.ts';
import { attachedField, relationField } from './relation-fields.ts';

attachedField(
  Campaign,
  'stats',
  CampaignStats,
  getStatsOfCampaigns,
  'stats',
  'Delivery and engagement figures; null if the campaign was deleted meanwhile.',
);
relationField(
  Campaign,
  'template',
  Template,
  getTemplates,
  ({ templateId }) => templateId,
  'Template that its content was copied from; null without one, or once it is deleted.',
);
relationField(
  Campaign,
  'segment',
  Segment,
  getSegments,
  ({ segmentId }) => segmentId,
  'Segment whose members receive it; null for another audience.',
);
nestedConnection(Campaign, 'emails', listEmailsOfEach, Email, {
  description: 'Emails of the campaign, newest first.',
  fixed: { parent: 'campaignId' },
  sortedBy: ({ createdAt }) => createdAt,
});
nestedConnection(Campaign, 'recipients', listRecipientsOfEach, CampaignRecipient, {
  description: 'Recipients with their state, latest change first.',
  sortedBy: ({ occurredAt }) => occurredAt,
  idOf: ({ emailId }) => emailId,
  flags: recipientFlags,
});
relationField(
  CampaignRecipient,
  'contact',
  Contact,
  getContacts,
  ({ contactId }) => contactId,
  'The contact; null once it is deleted.',
);
