/** Enough of a keyed hash to tell receipts apart. */
export const shortHash = (hash: string): string => hash.slice(0, 8);

const records: Readonly<Record<string, string>> = {
  acts: 'Consent acts',
  approvals: 'Approvals',
  attachments: 'Attachments',
  audit: 'Audit log',
  contacts: 'Contacts',
  counters: 'Counters',
  definitions: 'Templates, campaigns, segments, workflows, forms',
  emails: 'Emails',
  erasedContact: 'Links to leave',
  events: 'Events',
  executions: 'Executions',
  exportFiles: 'Parts of export files',
  figures: 'Figures',
  formSubmissions: 'Form submissions',
  importFiles: 'Import files',
  interactions: 'Opens, clicks, bounces',
  jobs: 'Jobs',
  letters: 'Letters to your domains',
  memberships: 'Segment memberships',
  messages: 'Messages of test projects',
  optOut: 'Opt-out',
  requests: 'Logged requests',
  subscriptionRequests: 'Subscription requests',
  suppression: 'Suppression',
  texts: 'Texts of emails',
  webhookDeliveries: 'Webhook deliveries',
};

/** A kind of record of a receipt in words. */
export const recordName = (record: string): string => records[record] ?? record;
