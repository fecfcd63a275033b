import { listContactsOfEach } from '@postrider/core/audience/segments';
import { listCampaignsOfEach } from '@postrider/core/automation/campaigns';
import { Campaign } from '../campaigns.ts';
import { Contact } from '../contacts.ts';
import { nestedConnection } from '../lists.ts';
import { Segment } from '../segments.ts';

nestedConnection(Segment, 'contacts', listContactsOfEach, Contact, {
  description: 'Contacts that belong to the segment at this moment, newest first.',
  sortedBy: ({ createdAt }) => createdAt,
});
nestedConnection(Segment, 'campaigns', listCampaignsOfEach, Campaign, {
  description: 'Campaigns whose audience is the segment, newest first.',
  fixed: { parent: 'segmentId' },
  sortedBy: ({ createdAt }) => createdAt,
});
