import { listContactsOfEach } from '@postrider/core/segments';
import { Contact } from '../contacts.ts';
import { nestedConnection } from '../lists.ts';
import { Segment } from '../segments.ts';

nestedConnection(Segment, 'contacts', listContactsOfEach, Contact, {
  description: 'Contacts that belong to the segment at this moment, newest first.',
  sortedBy: ({ createdAt }) => createdAt,
});
