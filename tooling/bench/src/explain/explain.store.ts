import type { Pool, PoolClient } from 'pg';

export interface ExplainData {
  projectId: string;
  from: string;
  /** tells the ids of one project from those of another in the same database */
  number: number;
  contacts: number;
  emails: number;
  log(line: string): void;
}

/** Rows inserted by one statement, so that none of them takes gigabytes. */
const perStatement = 500_000;
/** Emails that wait: half for a time, half for their turn. */
const mostWaiting = 2_000;

const kinds = { contact: 1, email: 2, campaign: 3, execution: 4, record: 5, batch: 6, event: 7 } as const;
type Kind = keyof typeof kinds;

const prefixOf = (kind: Kind, number: number): string =>
  `0190${kinds[kind].toString(16)}${number.toString(16).padStart(3, '0')}-0000-7000-8000-`;

/** The id of the n-th record of a kind: known without looking it up. */
export const idOf = (kind: Kind, number: number, n: number): string =>
  `${prefixOf(kind, number)}${n.toString(16).padStart(12, '0')}`;

const idSql = (kind: Kind, number: number, n: string): string =>
  `('${prefixOf(kind, number)}' || lpad(to_hex(${n}), 12, '0'))::uuid`;

export const records = { content: 0, late: 1, workflow: 2, step: 3, list: 4, segment: 5, key: 6 } as const;
const record = (number: number, name: keyof typeof records): string =>
  `'${idOf('record', number, records[name])}'::uuid`;

/** The status of the n-th email by n modulo 97, which no number of contacts divides evenly. */
export const remainders = {
  skipped: 0,
  unsubscribed: 1,
  failed: 2,
  gaveUp: 3,
  bounced: 4,
  uncertain: 5,
  sent: 6,
} as const;
export const modulus = 97;

const refusal = (klass: string, code: string, reply: number) =>
  `'{"class": "${klass}", "code": "${code}", "reply": ${reply}, "text": "says no", "at": "2026-11-01T00:00:00Z"}'::jsonb`;

/**
 * Fills a project with contacts, their emails of campaigns, events, a workflow and its executions, segments, suppressions, interactions and
 * entries of the audit log, by statements over sets and without triggers.
 */
export async function fillExplained(db: Pool, given: ExplainData): Promise<void> {
  const { contacts, emails, log } = given;
  const client = await db.connect();
  try {
    await client.query(
      "SET session_replication_role = replica; SET synchronous_commit = off; SET work_mem = '256MB'; SET jit = off",
    );
    await client.query(recordsOf(given));
    await inParts(client, contacts, (from, to) => contactsOf(given, from, to));
    log(`${contacts} contacts`);
    await inParts(
      client,
      emails,
      (from, to) => emailsOf(given, from, to),
      (done) => log(`${done} emails`),
    );
    await inParts(
      client,
      contacts,
      (from, to) => ofContacts(given, from, to),
      (done) => log(`events, executions and the rest of ${done} contacts`),
    );
    await client.query(waitingOf(given));
    for (const table of written) await client.query(`ANALYZE "${table}"`);
  } finally {
    client.release(true);
  }
}

const written = [
  ...['Contact', 'Email', 'Event', 'Suppression', 'WorkflowExecution', 'WorkflowStepExecution'],
  ...['SegmentMembership', 'AuditLog', 'Interaction', 'DeliveryBatch'],
];

async function inParts(
  client: PoolClient,
  count: number,
  statement: (from: number, to: number) => string,
  done: (count: number) => void = () => undefined,
): Promise<void> {
  for (let from = 0; from < count; from += perStatement) {
    const to = Math.min(count, from + perStatement);
    await client.query(statement(from, to));
    done(to);
  }
}

const project = ({ projectId }: ExplainData): string => `'${projectId}'::uuid`;

function recordsOf(given: ExplainData): string {
  const { number, contacts, emails, from } = given;
  const id = project(given);
  const condition = JSON.stringify({
    logic: 'AND',
    groups: [
      {
        filters: [
          { field: 'data.plan', operator: 'equals', value: 'pro' },
          { field: 'event.signup', operator: 'triggeredWithin', value: 7, unit: 'days' },
          { field: 'email.opened', operator: 'triggered' },
        ],
      },
    ],
  });
  return `
    INSERT INTO "Content" ("id", "projectId", "hash", "type", "sourceType", "subject", "body", "from", "projectName")
      VALUES (${record(number, 'content')}, ${id}, '\\x01', 'MARKETING', 'CAMPAIGN', 'Hello', 'Hello', '${from}', 'Large');
    INSERT INTO "Segment" ("id", "projectId", "name", "slug", "type", "condition", "updatedAt")
      VALUES (${record(number, 'segment')}, ${id}, 'Pro', 'pro', 'DYNAMIC', '${condition}', now() - interval '1 year'),
        (${record(number, 'list')}, ${id}, 'List', 'list', 'STATIC', NULL, now());
    INSERT INTO "Campaign" ("id", "projectId", "name", "subject", "body", "from", "audienceType", "segmentId", "status", "sentAt", "frozenAt", "updatedAt")
      SELECT ${idSql('campaign', number, 'n')}, ${id}, 'Campaign ' || n, 'Hello', 'Hello', '${from}', 'ALL'::"AudienceType", NULL::uuid, 'SENT'::"CampaignStatus",
        now() - interval '1 day', now() - interval '1 day', now() FROM generate_series(0, ${Math.ceil(emails / contacts)}) n
      UNION ALL SELECT ${record(number, 'late')}, ${id}, 'Late', 'Hello', 'Hello', '${from}', 'SEGMENT', ${record(number, 'segment')}, 'SENT', now(), now(), now();
    INSERT INTO "Workflow" ("id", "projectId", "name", "enabled", "triggerConfig", "triggersSince", "updatedAt")
      VALUES (${record(number, 'workflow')}, ${id}, 'Welcome', true, '{"eventName": "signup"}', now(), now());
    INSERT INTO "WorkflowStep" ("id", "projectId", "workflowId", "type", "name", "textReads", "updatedAt")
      VALUES (${record(number, 'step')}, ${id}, ${record(number, 'workflow')}, 'TRIGGER', 'Start', '{}', now());`;
}

/** One in twenty is not subscribed, one in fifty suppressed; none is both. */
const contactsOf = (given: ExplainData, from: number, to: number): string => `
  INSERT INTO "Contact" ("id", "projectId", "email", "subscribed", "optedOutAt", "subscriptionChangedAt", "data", "createdAt", "updatedAt")
  SELECT ${idSql('contact', given.number, 'n')}, ${project(given)}, 'p' || n || '@people.test', n % 20 <> 0,
    CASE WHEN n % 20 = 0 THEN now() - interval '200 days' END, CASE WHEN n % 20 = 0 THEN now() - interval '200 days' END,
    '{"plan": "free"}', now() - interval '1 year' + n * interval '1 ms', now() - interval '300 days'
  FROM generate_series(${from}, ${to - 1}) n`;

/** Each contact has an email of each campaign, as far as there are any. */
const emailsOf = (given: ExplainData, from: number, to: number): string => {
  const { number, contacts } = given;
  const is = (name: keyof typeof remainders): string => `n % ${modulus} = ${remainders[name]}`;
  return `
  INSERT INTO "Email" ("id", "projectId", "contactId", "to", "toHash", "type", "sourceType", "contentId", "campaignId", "status", "reason", "error",
    "diagnosis", "attempts", "sentAt", "deliveredAt", "bouncedAt", "uncertainAt", "createdAt", "updatedAt", "tags")
  SELECT ${idSql('email', number, 'n')}, ${project(given)}, ${idSql('contact', number, `n % ${contacts}`)}, 'p' || n % ${contacts} || '@people.test',
    substring(sha256(convert_to('p' || n % ${contacts} || '@people.test', 'UTF8')) FOR 16), 'MARKETING', 'CAMPAIGN', ${record(number, 'content')},
    ${idSql('campaign', number, `n / ${contacts}`)},
    (CASE WHEN ${is('skipped')} OR ${is('unsubscribed')} THEN 'SKIPPED' WHEN ${is('failed')} OR ${is('gaveUp')} THEN 'FAILED'
      WHEN ${is('bounced')} THEN 'BOUNCED' WHEN ${is('uncertain')} THEN 'UNCERTAIN' WHEN ${is('sent')} THEN 'SENT' ELSE 'DELIVERED' END)::"EmailStatus",
    CASE WHEN ${is('skipped')} THEN 'suppressed' WHEN ${is('unsubscribed')} THEN 'unsubscribed' END,
    CASE WHEN ${is('failed')} THEN '550 says no' WHEN ${is('gaveUp')} THEN '451 later' END,
    CASE WHEN ${is('failed')} OR ${is('bounced')} THEN ${refusal('no_mailbox', '5.1.1', 550)} WHEN ${is('gaveUp')} THEN ${refusal('unreachable', '4.4.1', 451)} END,
    CASE WHEN ${is('gaveUp')} THEN 40 ELSE 1 END,
    CASE WHEN n % ${modulus} IN (${remainders.bounced}, ${remainders.sent}) OR n % ${modulus} > ${remainders.sent} THEN now() - interval '90 days' END,
    CASE WHEN n % ${modulus} > ${remainders.sent} THEN now() - interval '90 days' END,
    CASE WHEN ${is('bounced')} THEN now() - interval '89 days' END, CASE WHEN ${is('uncertain')} THEN now() - interval '90 days' END,
    now() - interval '100 days' + n * interval '1 ms', now() - interval '90 days', '{}'
  FROM generate_series(${from}::bigint, ${to - 1}::bigint) n;
  INSERT INTO "Interaction" ("id", "projectId", "emailId", "type", "detail", "at")
  SELECT ${idSql('event', number, `n * 32 + turn + ${10n ** 12n}`)}, ${project(given)}, ${idSql('email', number, 'n')}, 'deferral', 'later', now() - turn * interval '1 hour'
  FROM generate_series(${from}::bigint, ${to - 1}::bigint) n CROSS JOIN generate_series(1, 20) turn WHERE ${is('gaveUp')}`;
};

/** Contacts with an even number went through the workflow and are on the list. */
const ofContacts = (given: ExplainData, from: number, to: number): string => {
  const { number } = given;
  const id = project(given);
  const contact = idSql('contact', number, 'n');
  const each = `FROM generate_series(${from}, ${to - 1}) n`;
  return `
  INSERT INTO "Event" ("id", "projectId", "kind", "name", "contactId", "data", "createdAt")
    SELECT ${idSql('event', number, 'n * 2')}, ${id}, 'CUSTOM'::"EventKind", 'signup', ${contact}, '{}'::jsonb, now() - interval '1 year' ${each}
    UNION ALL SELECT ${idSql('event', number, 'n * 2 + 1')}, ${id}, 'SYSTEM', 'contact.unsubscribed', ${contact}, '{"reason": "page"}', now() - interval '200 days' ${each} WHERE n % 20 = 0;
  INSERT INTO "Suppression" ("projectId", "email", "reason", "emailId", "createdAt")
    SELECT ${id}, 'p' || n || '@people.test', 'BOUNCE', ${idSql('email', number, 'n')}, now() - interval '100 days' ${each} WHERE n % 50 = 7;
  INSERT INTO "WorkflowExecution" ("id", "projectId", "workflowId", "contactId", "status", "startedAt", "createdAt", "completedAt", "updatedAt")
    SELECT ${idSql('execution', number, 'n')}, ${id}, ${record(number, 'workflow')}, ${contact}, 'COMPLETED', now() - interval '1 year', now() - interval '1 year', now() - interval '364 days', now()
    ${each} WHERE n % 2 = 0;
  INSERT INTO "WorkflowStepExecution" ("id", "projectId", "executionId", "stepId", "status", "startedAt", "completedAt", "updatedAt")
    SELECT ${idSql('execution', number, `n + ${10n ** 11n}`)}, ${id}, ${idSql('execution', number, 'n')}, ${record(number, 'step')}, 'COMPLETED', now() - interval '1 year', now() - interval '1 year', now()
    ${each} WHERE n % 2 = 0;
  INSERT INTO "SegmentMembership" ("projectId", "segmentId", "contactId") SELECT ${id}, ${record(number, 'list')}, ${contact} ${each} WHERE n % 2 = 0;
  INSERT INTO "AuditLog" ("id", "projectId", "operation", "actorType", "requestId", "targetType", "targetId", "createdAt")
    SELECT ${idSql('event', number, `n + ${10n ** 11n}`)}, ${id}, 'contacts.update', 'key', 'bench', 'contact', (${contact})::text, now() - interval '300 days' ${each}`;
};

/** Emails beyond the others. @returns how many there are of each kind */
export const waitingIn = ({ emails }: Pick<ExplainData, 'emails'>): number =>
  Math.max(1, Math.min(mostWaiting, Math.floor(emails / 50)));

const waitingOf = (given: ExplainData): string => {
  const { number, emails, contacts } = given;
  const count = 2 * waitingIn(given);
  const email = idSql('email', number, `${emails} + n`);
  const batch = idSql('batch', number, 'n');
  return `
  INSERT INTO "DeliveryBatch" ("id", "projectId", "priority", "nextAttemptAt", "emailIds")
    SELECT ${batch}, ${project(given)}, 1, now() + CASE WHEN n % 2 = 0 THEN interval '30 days' ELSE interval '-10 minutes' + n * interval '1 ms' END, ARRAY[${email}]
    FROM generate_series(0, ${count - 1}) n;
  INSERT INTO "Email" ("id", "projectId", "contactId", "to", "type", "sourceType", "contentId", "status", "batchId", "scheduledAt", "tags")
    SELECT ${email}, ${project(given)}, ${idSql('contact', number, `n % ${contacts}`)}, 'p' || n % ${contacts} || '@people.test', 'TRANSACTIONAL', 'TRANSACTIONAL', ${record(number, 'content')}, 'PENDING',
      ${batch}, CASE WHEN n % 2 = 0 THEN now() + interval '30 days' END, '{}' FROM generate_series(0, ${count - 1}) n`;
};
