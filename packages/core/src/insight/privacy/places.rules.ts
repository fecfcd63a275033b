/** What is done with a row that mentions an address. */
export type Treatment =
  /** the address is replaced */
  | 'replace'
  /** the row is removed */
  | 'delete'
  /** the row goes by itself within days, and the erasure is not complete before */
  | 'wait'
  /** it stays: what the people of the project wrote is theirs, and the receipt names it */
  | 'keep';

/** How a column stores texts. `plainJson` keeps the text of JSON as it was written; `none`: the value of a unique column becomes null. */
export type Form = 'text' | 'json' | 'plainJson' | 'texts' | 'bytes' | 'none';

/** Columns in which the address of a person may stand, in rows that are not about this person. */
export interface MentionPlace {
  table: string;
  /** what the receipt calls its rows */
  record: string;
  columns: Readonly<Record<string, Form>>;
  treatment: Treatment;
  /** the columns by which the rows of a project are read in pages: with the project the beginning of an index. */
  order: readonly { column: string; type: string }[];
  /** the columns that identify a row of the project */
  key: readonly string[];
  /** rows in a page */
  page: number;
  /** the column with the time of storing: what was stored after the request came later */
  time?: string;
  /** which rows alone can mention one, as SQL of `t` */
  only?: string;
  /** rows are read by their ids over all projects, because no index has them by project */
  overAll?: true;
  /** rows that belong to those of another table, which are read in their place */
  of?: { table: string; column: string };
  /** of `keep`: why, for the receipt */
  why?: string;
}

const byTime = [
  { column: 'createdAt', type: 'timestamptz' },
  { column: 'id', type: 'uuid' },
] as const;
const byId = [{ column: 'id', type: 'uuid' }] as const;

/** Rows of which a project has few. */
const few = { order: byId, key: ['id'], page: 200 } as const;

const written = (
  table: string,
  columns: MentionPlace['columns'],
  more: Partial<MentionPlace> = {},
): MentionPlace => ({
  table,
  columns,
  record: 'definitions',
  treatment: 'keep',
  why: 'Templates, campaigns, segments, workflows, forms and settings are written by the people of the project, who can edit them',
  ...few,
  ...more,
});

/** In the order in which they are read. */
export const mentionPlaces: readonly MentionPlace[] = [
  {
    table: 'Contact',
    record: 'contacts',
    columns: { data: 'json', externalId: 'none' },
    treatment: 'replace',
    order: byTime,
    key: ['id'],
    page: 5_000,
    time: 'createdAt',
  },
  {
    table: 'Email',
    record: 'emails',
    columns: {
      toName: 'text',
      subject: 'text',
      vars: 'json',
      error: 'text',
      diagnosis: 'json',
      metadata: 'json',
      tags: 'texts',
    },
    treatment: 'replace',
    order: byTime,
    key: ['id'],
    page: 5_000,
    time: 'createdAt',
  },
  {
    table: 'EmailTag',
    record: 'emails',
    columns: { tag: 'text' },
    treatment: 'delete',
    order: [
      { column: 'tag', type: 'text' },
      { column: 'createdAt', type: 'timestamptz' },
      { column: 'emailId', type: 'uuid' },
    ],
    key: ['tag', 'createdAt', 'emailId'],
    page: 10_000,
    time: 'createdAt',
  },
  {
    table: 'Interaction',
    record: 'interactions',
    columns: { link: 'text', detail: 'text' },
    treatment: 'replace',
    order: byTime,
    key: ['id'],
    page: 2_000,
    of: { table: 'Email', column: 'emailId' },
  },
  {
    table: 'MessageSource',
    record: 'messages',
    columns: { bytes: 'bytes' },
    treatment: 'delete',
    order: [
      { column: 'createdAt', type: 'timestamptz' },
      { column: 'emailId', type: 'uuid' },
    ],
    key: ['emailId'],
    page: 100,
    time: 'createdAt',
  },
  {
    table: 'DeliveryBatch',
    record: 'deliveries',
    columns: { results: 'json' },
    treatment: 'wait',
    ...few,
  },
  {
    table: 'Event',
    record: 'events',
    columns: { data: 'json' },
    treatment: 'replace',
    order: byTime,
    key: ['id'],
    page: 5_000,
    time: 'createdAt',
  },
  {
    table: 'WebhookDelivery',
    record: 'webhookDeliveries',
    columns: { data: 'json', origin: 'json', attempts: 'json' },
    treatment: 'replace',
    order: byId,
    key: ['id'],
    page: 10_000,
    time: 'createdAt',
    overAll: true,
  },
  {
    table: 'WorkflowExecution',
    record: 'executions',
    columns: { context: 'json', exitReason: 'text' },
    treatment: 'replace',
    order: [{ column: 'workflowId', type: 'uuid' }, ...byTime],
    key: ['id'],
    page: 2_000,
    time: 'createdAt',
  },
  {
    table: 'WorkflowStepExecution',
    record: 'executions',
    columns: { output: 'json', error: 'text', failures: 'json' },
    treatment: 'replace',
    order: [{ column: 'workflowId', type: 'uuid' }, ...byTime],
    key: ['id'],
    page: 500,
    of: { table: 'WorkflowExecution', column: 'executionId' },
  },
  {
    table: 'StepRequest',
    record: 'executions',
    columns: { request: 'json' },
    treatment: 'replace',
    order: [{ column: 'stepExecutionId', type: 'uuid' }],
    key: ['stepExecutionId'],
    page: 1_000,
  },
  {
    table: 'SubscriptionRequest',
    record: 'subscriptionRequests',
    columns: { data: 'json', page: 'text', userAgent: 'text' },
    treatment: 'replace',
    order: [
      { column: 'requestedAt', type: 'timestamptz' },
      { column: 'id', type: 'uuid' },
    ],
    key: ['id'],
    page: 5_000,
    time: 'requestedAt',
  },
  {
    table: 'FormSubmission',
    record: 'formSubmissions',
    columns: { email: 'text', fields: 'json', page: 'text', userAgent: 'text' },
    treatment: 'delete',
    ...few,
    time: 'createdAt',
  },
  {
    table: 'Job',
    record: 'jobs',
    columns: { input: 'json', result: 'json', failedReason: 'text', fileName: 'text' },
    treatment: 'replace',
    ...few,
    time: 'createdAt',
  },
  {
    table: 'JobFile',
    record: 'jobs',
    columns: { bytes: 'bytes' },
    treatment: 'wait',
    order: [{ column: 'jobId', type: 'uuid' }],
    key: ['jobId'],
    page: 5,
    time: 'createdAt',
  },
  {
    table: 'Approval',
    record: 'approvals',
    columns: {
      summary: 'text',
      input: 'json',
      records: 'text',
      note: 'text',
      result: 'json',
      error: 'json',
      reason: 'text',
    },
    treatment: 'replace',
    ...few,
    time: 'createdAt',
  },
  {
    // The names of records that were removed: nobody can edit them any more.
    table: 'AuditLog',
    record: 'auditLog',
    columns: { targetName: 'text' },
    treatment: 'replace',
    order: byTime,
    key: ['id'],
    page: 10_000,
    time: 'createdAt',
    only: `t."targetName" IS NOT NULL`,
  },
  {
    table: 'CachedFigure',
    record: 'figures',
    columns: { key: 'text', value: 'json', estimate: 'json', input: 'json' },
    treatment: 'delete',
    order: [{ column: 'key', type: 'text' }],
    key: ['key'],
    page: 500,
  },
  {
    table: 'FigureEntry',
    record: 'figures',
    columns: { link: 'text', tags: 'texts' },
    treatment: 'replace',
    order: [{ column: 'id', type: 'bigint' }],
    key: ['id'],
    page: 5_000,
  },
  {
    table: 'Figure',
    record: 'figures',
    columns: { key: 'text' },
    treatment: 'delete',
    // By tag: everything else is a word of the product, an id or a domain.
    only: `t."scopeId" = t."projectId" AND t."dimension" = 'tag'`,
    order: [
      { column: 'unit', type: '"FigureUnit"' },
      { column: 'at', type: 'timestamptz' },
      { column: 'key', type: 'text' },
    ],
    key: ['scopeId', 'dimension', 'unit', 'at', 'key'],
    page: 10_000,
  },
  {
    table: 'LinkFigure',
    record: 'figures',
    columns: { url: 'text' },
    treatment: 'replace',
    order: [
      { column: 'scopeId', type: 'uuid' },
      { column: 'hash', type: 'bytea' },
    ],
    key: ['scopeId', 'hash'],
    page: 5_000,
  },
  {
    table: 'IdempotencyKey',
    record: 'idempotencyKeys',
    columns: { key: 'text' },
    treatment: 'wait',
    order: [{ column: 'key', type: 'text' }],
    key: ['key'],
    page: 10_000,
    time: 'createdAt',
  },
  {
    table: 'RequestEntry',
    record: 'requests',
    columns: { request: 'plainJson', response: 'plainJson' },
    treatment: 'replace',
    order: [
      { column: 'at', type: 'timestamptz' },
      { column: 'id', type: 'uuid' },
    ],
    key: ['id', 'at'],
    page: 2_000,
    time: 'at',
  },
  written('Template', {
    name: 'text',
    description: 'text',
    subject: 'text',
    preheader: 'text',
    body: 'text',
    text: 'text',
    design: 'json',
    from: 'text',
    fromName: 'text',
    replyTo: 'text',
  }),
  written(
    'TemplateVersion',
    { subject: 'text', preheader: 'text', body: 'text', text: 'text', design: 'json' },
    { page: 50 },
  ),
  written('SavedBlock', { name: 'text', body: 'text', design: 'json' }),
  written('Campaign', {
    name: 'text',
    utm: 'json',
    description: 'text',
    subject: 'text',
    preheader: 'text',
    body: 'text',
    text: 'text',
    design: 'json',
    test: 'json',
    from: 'text',
    fromName: 'text',
    replyTo: 'text',
    audienceCondition: 'json',
  }),
  written('Segment', { name: 'text', description: 'text', condition: 'json' }),
  written('Goal', { name: 'text', conditions: 'json' }),
  written('Workflow', {
    name: 'text',
    description: 'text',
    triggerConfig: 'json',
    entry: 'json',
    exits: 'json',
  }),
  written(
    'WorkflowVersion',
    { definition: 'json', note: 'text' },
    {
      order: [
        { column: 'workflowId', type: 'uuid' },
        { column: 'version', type: 'int' },
      ],
      key: ['workflowId', 'version'],
      page: 50,
    },
  ),
  written(
    'WorkflowDraft',
    { definition: 'json' },
    { order: [{ column: 'workflowId', type: 'uuid' }], key: ['workflowId'] },
  ),
  written('WorkflowStep', { name: 'text', config: 'json' }),
  written('Form', {
    name: 'text',
    title: 'json',
    text: 'json',
    consentText: 'json',
    button: 'json',
    fields: 'json',
    redirectUrl: 'text',
    confirmedUrl: 'text',
  }),
  written(
    'FormVersion',
    { name: 'text', content: 'json' },
    {
      order: [
        { column: 'formId', type: 'uuid' },
        { column: 'version', type: 'int' },
      ],
      key: ['formId', 'version'],
    },
  ),
  written('Topic', { name: 'json', description: 'json' }),
  written('Wording', { text: 'text' }),
  written(
    'FieldDefinition',
    { key: 'text', label: 'text' },
    { order: [{ column: 'key', type: 'text' }], key: ['key'] },
  ),
  written('WebhookEndpoint', { url: 'text', description: 'text' }),
];

/** Columns that a step of the erasure treats by itself: those of the person, and texts that people share. */
export const ownColumns: Readonly<Record<string, readonly string[]>> = {
  // Rows of the person, found by the address or by the id of the contact.
  Contact: ['email'],
  Email: ['to'],
  ConsentAct: ['before', 'page', 'ip', 'userAgent', 'evidence', 'keyName'],
  SubscriptionRequest: ['ip'],
  FormSubmission: ['ip'],
  // Cleared by the sweep, once nobody can share them any more.
  Content: ['subject', 'preheader', 'body', 'text', 'headers', 'attachments', 'raw', 'links'],
  Blob: ['bytes'],
  // Files of the project, which may be about everybody.
  ExportChunk: ['bytes'],
  ImportFailedRows: ['bytes'],
  // Letters to the addresses of its domains.
  DomainNote: ['from', 'subject', 'text'],
  // The entry that says that nothing may be sent.
  Suppression: ['email'],
  // The receipt itself.
  Erasure: ['addressCipher', 'reason', 'position'],
};

/** Columns with the id of a contact, which have none of an erased one. */
export const idColumns: Readonly<Record<string, string>> = {
  Contact: 'id',
  Email: 'contactId',
  Event: 'contactId',
  WebhookDelivery: 'contactId',
  WorkflowExecution: 'contactId',
  WorkflowEntry: 'contactId',
  WorkflowDue: 'contactId',
  SegmentMembership: 'contactId',
  SegmentDue: 'contactId',
  TouchedContact: 'contactId',
  ContactLimit: 'contactId',
  Conversion: 'contactId',
  ConsentAct: 'contactId',
  SubscriptionRequest: 'contactId',
  MergedContact: 'contactId',
  JobContact: 'contactId',
};

interface Exemption {
  why: string;
  columns: Readonly<Record<string, readonly string[]>>;
}

/** Columns in which no address of a person stands, or none of a contact, and why. */
export const exemptColumns: readonly Exemption[] = [
  {
    why: 'People who use the installation, and what they sign in with: they delete their accounts themselves',
    columns: {
      User: ['email', 'passwordHash'],
      AuthToken: ['tokenHash'],
      Session: ['tokenHash', 'ip', 'userAgent'],
      Identity: ['issuer', 'subject'],
      AuthenticatorApp: ['secretCipher'],
      Passkey: ['credentialId', 'publicKey', 'transports', 'name'],
      RecoveryCode: ['codeHash'],
      AuthAttempt: ['key'],
      PendingMail: ['email'],
      Invitation: ['email', 'tokenHash'],
      ApiKey: ['name', 'prefix', 'hash', 'domains'],
    },
  },
  {
    why: 'Settings of the project: who it sends as, what it is called, its keys',
    columns: {
      Project: [
        'name',
        'publicKeyHash',
        'publicKeyCipher',
        'secretKeyHash',
        'secretKeyCipher',
        'webhookSecretCipher',
        'customer',
        'subscription',
        'language',
        'timezone',
        'contactLimits',
        'brand',
        'consent',
        'utm',
        'refusalMailAt',
      ],
      Domain: ['domain', 'sesTokens', 'recordsFound'],
      DomainKey: ['domain', 'selector', 'algorithm', 'publicKey', 'privateCipher'],
      Content: ['hash', 'sealedBody', 'from', 'fromName', 'replyTo', 'projectName', 'language', 'utm'],
      SourceRef: ['sourceId'],
      Upload: ['key', 'filename', 'contentType'],
      PersistedDocument: ['hash', 'text'],
      WebhookEndpoint: ['types', 'publicKey', 'disabledReason', 'secretCipher', 'previousSecretCipher'],
      Template: ['alias', 'textReads'],
      Campaign: [
        'statusReason',
        'pauseReason',
        'testState',
        'testDecidedBy',
        'approvedHash',
        'reads',
        'textReads',
      ],
      Segment: ['slug', 'reads', 'failedReason'],
      Workflow: [
        'reads',
        'alias',
        'timeZone',
        'contactSources',
        'dateField',
        'datesAfter',
        'datesZone',
        'goals',
      ],
      WorkflowVersion: ['steps', 'reads', 'ends', 'authorType', 'keyName', 'move'],
      WorkflowDraft: ['steps', 'reads', 'authorType', 'keyName'],
      WorkflowStep: ['key', 'reads', 'textReads'],
      WorkflowTransition: ['branch'],
      TemplateVersion: ['authorType', 'keyName'],
      Topic: ['key'],
      Goal: ['eventName', 'valueProperty', 'valueCurrency'],
      FieldDefinition: ['type'],
      Form: ['language', 'origins'],
      Wording: ['hash', 'language'],
      BillingState: ['currency', 'status', 'endedSubscription'],
    },
  },
  {
    why: 'Keyed hashes: without the secret of the installation nobody knows of whom',
    columns: {
      OptOut: ['addressHash'],
      ErasedContact: ['addressHash'],
      ConsentAct: ['addressHash'],
      Erasure: ['addressHash'],
      Email: ['toHash'],
      PublicAttempt: ['scope', 'key'],
    },
  },
  {
    why: 'Words of the product: types, states, outcomes, names of programs',
    columns: {
      Email: ['reason'],
      DeliveryBatch: ['heldBy', 'worker', 'begun', 'answered', 'written'],
      Approval: ['operation', 'hash', 'actorType', 'keyName'],
      Job: ['kind', 'state', 'actorType', 'keyName'],
      Erasure: ['actorType', 'keyName', 'removed', 'kept'],
      SubscriptionRequest: ['language'],
      FormSubmission: ['language'],
      Campaign: ['localAt', 'whenPassed'],
      CampaignSkip: ['reason'],
      ExpiredEmails: ['counter'],
      CampaignWave: ['kind'],
      WebhookDelivery: ['type'],
      WorkflowExecution: ['endedBy', 'failedStepKey'],
      WorkflowDue: ['source'],
      StepFigureEntry: ['outcome'],
      StepFigure: ['outcome'],
      RateWindow: ['keyType'],
      LiveListener: ['topic'],
      SimulatorTask: ['kind', 'link'],
      Interaction: ['class', 'client', 'device'],
      FigureEntry: ['provider', 'client', 'device'],
      ConsentPass: ['part', 'position'],
      RequestEntry: [
        'door',
        'method',
        'path',
        'operation',
        'code',
        'keyType',
        'keyName',
        'keyPrefix',
        'ip',
        'userAgent',
        'requestId',
      ],
      RequestCount: ['operation', 'code', 'durations'],
    },
  },
  {
    why: 'Numbers of traces: which spans at a collector belong to it, where no span has an address',
    columns: {
      DeliveryBatch: ['trace'],
      EventTrace: ['trace'],
    },
  },
  {
    why: 'Names of types of events, which programs choose',
    columns: {
      Event: ['name'],
      EventCount: ['name'],
      EventInterest: ['name'],
    },
  },
  {
    why: 'What was done, by whom, and to which record, never its values: it is kept as the audit log',
    columns: {
      AuditLog: [
        'operation',
        'actorType',
        'actorId',
        'keyId',
        'keyName',
        'requestId',
        'ip',
        'targetType',
        'targetId',
        'changed',
      ],
      IdempotencyKey: ['request', 'digest'],
    },
  },
  {
    why: 'Domains and servers, not mailboxes',
    columns: {
      MailboxDomain: ['domain', 'provider', 'before'],
      FigureEntry: ['domain'],
      Route: ['id', 'reason', 'acceptedBy'],
      SenderPause: ['routeId', 'sender', 'from', 'reason'],
      StepRequest: ['host'],
    },
  },
  {
    why: 'Of the installation: causes, choices and numbers',
    columns: {
      Installation: ['hold', 'schema', 'minVersion', 'version'],
      Epoch: ['cause', 'inFlight', 'counts'],
      FindingState: ['check', 'verdict'],
      Process: ['kind', 'host', 'version', 'schema'],
    },
  },
  {
    why: 'Ids of messages and notifications, times by ids of emails, hashes of whole files',
    columns: {
      Email: ['messageId'],
      ContactLimit: ['sent', 'waiting'],
      Campaign: ['guardBase'],
      Blob: ['hash'],
      LinkFigure: ['hash'],
      ProviderNotice: ['id'],
      PaymentNotice: ['id'],
      DomainNote: ['fingerprint'],
    },
  },
  {
    why: 'Gone within moments, once it is judged or passed',
    columns: {
      RecentClick: ['link', 'client', 'device'],
      AddressPass: ['part', 'position'],
    },
  },
];

/** Columns with ids of contacts that are not those of rows about them, and why. */
export const exemptIds: Readonly<Record<string, string>> = {
  'ErasedContact.contactId': 'leaving by the links in email goes on working',
  'MailboxScan.contactId': 'a position: up to which id domains were collected',
};
