import { getContacts } from '@postrider/core/audience/contacts';
import { listExecutionsOfEach } from '@postrider/core/automation/workflows';
import { getEmails } from '@postrider/core/mail/sending';
import { Contact } from '../contacts.ts';
import { Email } from '../emails.ts';
import { Event } from '../events.ts';
import { nestedConnection } from '../lists.ts';
import { Suppression } from '../suppressions.ts';
import { Execution } from '../workflows.ts';
import { relationField } from './relation-fields.ts';

relationField(Event, 'contact', Contact, getContacts, ({ contactId }) => contactId);
relationField(
  Event,
  'email',
  Email,
  getEmails,
  ({ emailId }) => emailId,
  'The email, for events of emails; null for all others.',
);
nestedConnection(Event, 'executions', listExecutionsOfEach, Execution, {
  description: 'Executions of workflows that the event started, newest first.',
  fixed: { parent: 'sourceEventId' },
  sortedBy: ({ createdAt }) => createdAt,
});
relationField(
  Suppression,
  'causedBy',
  Email,
  getEmails,
  ({ emailId }) => emailId,
  'The email whose bounce or complaint caused it; null without one.',
);
