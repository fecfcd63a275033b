import { getContacts } from '@postrider/core/audience/contacts';
import { listEventsOfEach } from '@postrider/core/audience/events';
import { getCampaigns } from '@postrider/core/automation/campaigns';
import { getExecutions } from '@postrider/core/automation/workflows';
import { getTemplates } from '@postrider/core/content/templates';
import { Campaign } from '../campaigns.ts';
import { Contact } from '../contacts.ts';
import { Email, EmailDetails } from '../emails.ts';
import { Event } from '../events.ts';
import { nestedConnection } from '../lists.ts';
import { Template } from '../templates.ts';
import { Execution } from '../workflows.ts';
import { relationField } from './relation-fields.ts';

for (const type of [Email, EmailDetails]) {
  relationField(type, 'contact', Contact, getContacts, ({ contactId }) => contactId);
  relationField(type, 'template', Template, getTemplates, ({ templateId }) => templateId);
  relationField(type, 'campaign', Campaign, getCampaigns, ({ campaignId }) => campaignId);
  relationField(
    type,
    'execution',
    Execution,
    getExecutions,
    ({ workflowExecutionId }) => workflowExecutionId,
    'Execution of a workflow that sent it; null without one, or once it is deleted.',
  );
  nestedConnection(type, 'events', listEventsOfEach, Event, {
    description: 'Events of the email, newest first; none once its contact is deleted.',
    fixed: { parent: 'emailId' },
    sortedBy: ({ createdAt }) => createdAt,
  });
}
