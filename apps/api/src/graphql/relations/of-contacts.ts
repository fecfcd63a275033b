import { contactLimitState, getLimitsOfContacts } from '@postrider/core/audience/contacts';
import { listEventsOfEach } from '@postrider/core/audience/events';
import { listSegmentsOfEach } from '@postrider/core/audience/segments';
import { listExecutionsOfEach } from '@postrider/core/automation/workflows';
import { listTimelines } from '@postrider/core/insight/activity';
import { listEmailsOfEach } from '@postrider/core/mail/sending';
import { ActivityFeed } from '../activity.ts';
import { Contact } from '../contacts.ts';
import { Email } from '../emails.ts';
import { Event } from '../events.ts';
import { nestedConnection } from '../lists.ts';
import { objectFromZod } from '../object-from-zod.ts';
import { Segment } from '../segments.ts';
import { Execution } from '../workflows.ts';
import { attachedField, attachedList } from './relation-fields.ts';

nestedConnection(Contact, 'emails', listEmailsOfEach, Email, {
  description: 'Emails to the contact, newest first.',
  fixed: { parent: 'contactId' },
  sortedBy: ({ createdAt }) => createdAt,
});
nestedConnection(Contact, 'events', listEventsOfEach, Event, {
  description: 'Events of the contact, newest first.',
  fixed: { parent: 'contactId' },
  sortedBy: ({ createdAt }) => createdAt,
});
nestedConnection(Contact, 'executions', listExecutionsOfEach, Execution, {
  description: 'Executions of workflows for the contact, newest first.',
  fixed: { parent: 'contactId' },
  sortedBy: ({ createdAt }) => createdAt,
});
attachedList(
  Contact,
  'segments',
  Segment,
  listSegmentsOfEach,
  'segments',
  'Segments that the contact belongs to at this moment, newest first.',
);
attachedField(
  Contact,
  'limits',
  objectFromZod(contactLimitState),
  getLimitsOfContacts,
  'limits',
  'Where the contact is within the limits per contact of the project.',
);
attachedField(
  Contact,
  'timeline',
  ActivityFeed,
  listTimelines,
  'timeline',
  'What happened to the contact, newest first.',
);
