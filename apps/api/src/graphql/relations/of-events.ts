import { getContacts } from '@postrider/core/contacts';
import { getEmails } from '@postrider/core/sending';
import { Contact } from '../contacts.ts';
import { Email } from '../emails.ts';
import { Event } from '../events.ts';
import { Suppression } from '../suppressions.ts';
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
relationField(
  Suppression,
  'causedBy',
  Email,
  getEmails,
  ({ emailId }) => emailId,
  'The email whose bounce or complaint caused it; null without one.',
);
