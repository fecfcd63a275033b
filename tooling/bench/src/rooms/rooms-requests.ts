/** A procedure that the dashboard calls, with its input. */
export interface RoomRequest {
  label: string;
  procedure: string;
  input?: Readonly<Record<string, unknown>>;
  /** It changes something. */
  isMutation?: boolean;
}

/** What requests refer to. */
export interface RoomIds {
  contact: string;
  email: string;
  dynamicSegment: string;
  staticSegment: string;
  campaign: string;
  importJob: string;
}

const filterOf = (...filters: unknown[]): string => JSON.stringify({ logic: 'AND', groups: [{ filters }] });

const conditions: Record<string, unknown[]> = {
  'data equality': [{ field: 'data.city', operator: 'equals', value: 'City 77' }],
  'data equality of a third': [{ field: 'data.plan', operator: 'equals', value: 'free' }],
  'data comparison': [{ field: 'data.score', operator: 'greaterThan', value: 900 }],
  'data text': [{ field: 'data.company', operator: 'contains', value: '777' }],
  'data exists, rare': [{ field: 'data.beta', operator: 'exists' }],
  'data date': [{ field: 'data.lastOrderAt', operator: 'within', value: 300, unit: 'days' }],
  'event window': [{ field: 'event.bought', operator: 'triggeredWithin', value: 7, unit: 'days' }],
  'no event': [{ field: 'event.bought', operator: 'notTriggered' }],
  address: [{ field: 'email', operator: 'contains', value: 'firm77' }],
  created: [{ field: 'createdAt', operator: 'within', value: 7, unit: 'days' }],
  'two at once': [
    { field: 'data.plan', operator: 'equals', value: 'pro' },
    { field: 'data.vip', operator: 'equals', value: true },
  ],
};

const treeOf = (filters: unknown[]): unknown => ({ logic: 'AND', groups: [{ filters }] });

/** Counting stops there in the dashboard. */
const countTo = 10_000;

/** Everything that the rooms about contacts ask for when they are opened, searched, filtered and paged. */
export function roomRequests(ids: RoomIds): RoomRequest[] {
  const list = (label: string, input: Record<string, unknown>): RoomRequest => ({
    label: `contacts: ${label}`,
    procedure: 'contacts.list',
    input: { limit: 50, ...input },
  });
  const audience = (label: string, input: Record<string, unknown>): RoomRequest => ({
    label: `audience: ${label}`,
    procedure: 'campaigns.previewAudience',
    input: { type: 'MARKETING', from: 'hello@sender.test', estimate: true, ...input },
  });
  const fields = ['plan', 'vip', 'score', 'city', 'company', 'lastName', 'lastOrderAt', 'beta', 'unknown'];
  return [
    list('newest', {}),
    list('oldest', { dir: 'asc' }),
    list('by address', { sort: 'email', dir: 'asc' }),
    list('by address, descending', { sort: 'email', dir: 'desc' }),
    ...['subscribed', 'unsubscribed', 'snoozed'].map((status) => list(status, { status })),
    list('search of a whole address', { search: ids.email }),
    list('search of 7 characters', { search: 'on12345' }),
    list('search of 3 characters', { search: '987' }),
    list('search of 2 characters', { search: '98' }),
    list('search that all match', { search: 'person' }),
    list('search without a match', { search: 'nobody-has-this' }),
    ...['nobody', 'last79', 'x'].map((text) => list(`address or name ${text}`, { text, countTo: 10_000 })),
    { label: 'activity of nobody', procedure: 'activity.list', input: { text: 'nobody' } },
    ...Object.entries(conditions).map(([label, filters]) =>
      list(`filter, ${label}`, { filter: filterOf(...filters), countTo }),
    ),
    list('members of a dynamic segment', { segmentId: ids.dynamicSegment, countTo }),
    list('members of a static segment', { segmentId: ids.staticSegment, countTo }),
    { label: 'fields', procedure: 'contacts.listFields' },
    ...fields.flatMap((field) => [
      {
        label: `values of ${field}`,
        procedure: 'contacts.listFieldValues',
        input: { field: `data.${field}`, limit: 100 },
      },
      { label: `usage of ${field}`, procedure: 'contacts.getFieldUsage', input: { field: `data.${field}` } },
    ]),
    { label: 'usage of email', procedure: 'contacts.getFieldUsage', input: { field: 'email' } },
    { label: 'workflow fields', procedure: 'workflows.fields' },
    { label: 'segments', procedure: 'segments.list' },
    { label: 'segment', procedure: 'segments.get', input: { id: ids.dynamicSegment } },
    { label: 'contact', procedure: 'contacts.get', input: { id: ids.contact } },
    {
      label: 'segments of a contact',
      procedure: 'segments.ofEach',
      input: { ids: [ids.contact], first: 20 },
    },
    {
      label: 'timeline of a contact',
      procedure: 'activity.list',
      input: { contactId: ids.contact, limit: 20 },
    },
    {
      label: 'workflows of a contact',
      procedure: 'workflows.listExecutionsOfContact',
      input: { contactId: ids.contact },
    },
    {
      label: 'emails of a contact',
      procedure: 'sending.listEmails',
      input: { contactId: ids.contact, limit: 20 },
    },
    {
      label: 'suppression of a contact',
      procedure: 'contacts.listSuppressions',
      input: { search: ids.email },
    },
    { label: 'suppressions', procedure: 'contacts.listSuppressions', input: { limit: 50 } },
    {
      label: 'suppressions by reason',
      procedure: 'contacts.listSuppressions',
      input: { limit: 50, reason: 'BOUNCE' },
    },
    {
      label: 'suppressions, search',
      procedure: 'contacts.listSuppressions',
      input: { limit: 50, search: '77' },
    },
    { label: 'imports', procedure: 'contacts.listImports', input: { limit: 20 } },
    { label: 'import', procedure: 'contacts.getImport', input: { jobId: ids.importJob } },
    ...['person', 'person77', 'firm77', 'Segment 7', 'a', 'nobody', 'last79'].map((text) => ({
      label: `search everywhere: ${text}`,
      procedure: 'search.records',
      input: { text },
    })),
    audience('all', { audienceType: 'ALL' }),
    audience('all, transactional', { audienceType: 'ALL', type: 'TRANSACTIONAL' }),
    audience('dynamic segment', { audienceType: 'SEGMENT', segmentId: ids.dynamicSegment }),
    audience('static segment', { audienceType: 'SEGMENT', segmentId: ids.staticSegment }),
    ...Object.entries(conditions).map(([label, filters]) =>
      audience(`filter, ${label}`, { audienceType: 'FILTERED', audienceCondition: treeOf(filters) }),
    ),
    { label: 'campaign', procedure: 'campaigns.get', input: { id: ids.campaign } },
    { label: 'campaigns', procedure: 'campaigns.list' },
    { label: 'calendar of 1,000 items', procedure: 'campaigns.listCalendar', input: calendarPeriod() },
    { label: 'events', procedure: 'events.search', input: { limit: 50 } },
    {
      label: 'events of a name',
      procedure: 'events.search',
      input: { limit: 50, eventName: 'bought' },
    },
    { label: 'event names', procedure: 'events.names' },
    { label: 'event figures', procedure: 'events.figures' },
    { label: 'events per day', procedure: 'events.daily', input: {} },
    { label: 'events of a name per day', procedure: 'events.daily', input: { eventName: 'bought' } },
    { label: 'usage of an event', procedure: 'events.usage', input: { eventName: 'bought' } },
    { label: 'activity', procedure: 'activity.list', input: { limit: 50 } },
    { label: 'upcoming activity', procedure: 'activity.upcoming' },
    { label: 'overview', procedure: 'analytics.overview', input: {} },
    { label: 'contact growth', procedure: 'analytics.contactGrowth', input: { compare: true } },
  ];
}

/** Half of it over, half to come. */
function calendarPeriod(): { from: string; to: string } {
  const day = (offset: number): string =>
    new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  return { from: day(-15), to: day(16) };
}

/** What the rooms do about all contacts at once; every request starts work in the background. */
export function roomChanges(ids: RoomIds): RoomRequest[] {
  const change = (label: string, procedure: string, input: Record<string, unknown>): RoomRequest => ({
    ...{ label, procedure, input },
    isMutation: true,
  });
  const content = { subject: 'News', body: '<p>News</p>', from: 'hello@sender.test' };
  return [
    change('a campaign to all is saved', 'campaigns.update', {
      ...{ id: ids.campaign, name: 'News', audienceType: 'ALL', ...content },
    }),
    change('a campaign to a filter is saved', 'campaigns.update', {
      ...{ id: ids.campaign, name: 'News', audienceType: 'FILTERED', ...content },
      audienceCondition: treeOf(conditions['data text'] ?? []),
    }),
    change('all contacts are subscribed', 'contacts.bulkSubscribe', { mode: 'query', filter: {} }),
  ];
}
