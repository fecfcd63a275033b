import type { ClientBase, Pool } from 'pg';
import {
  type ContactRowInput,
  contactRowColumns,
  contactRows,
  locatedContacts,
  storedContacts,
  storedContactsCheck,
} from '../../audience/contacts/index.ts';
import { choicesOf } from '../../audience/topics/index.ts';
import {
  constant,
  databaseCode,
  type Outcome,
  type ParametersOf,
  Prisma,
  prepared,
  refusedWith,
} from '../../base/db/index.ts';
import {
  type KeyRowInput,
  keyRowColumns,
  keyRowOf,
  usedKeysCte,
  usesFreeKey,
} from '../../base/idempotency/index.ts';
import { newId } from '../../base/lib/ids.ts';
import { excluded, isSuppressedByRow } from '../eligibility/index.ts';
import type { AcceptedEmail, AcceptRequest } from './accept.store.ts';
import { type AppliedCaps, type Caps, groupCaps, isCapped, noCaps } from './caps.ts';
import { contentJson, insertContents } from './content.store.ts';

/** One recipient of one request. */
interface Row extends ContactRowInput, KeyRowInput {
  /** of the request, in the group */
  n: number;
  /** of the recipient, in the request */
  i: number;
  emailId: string;
  name: string | null;
  transient: Record<string, unknown>;
  /** null for the sandbox sender */
  domain: string | null;
  type: string;
  source: string;
  contentId: string;
  /** of the content; absent without one */
  topicId: string | undefined;
  /** whether the statement has the text of the content */
  isFresh: boolean;
  tracked: boolean;
  templateId: string | null;
  tags: readonly string[] | undefined;
  metadata: Readonly<Record<string, string>> | undefined;
  priority: number;
  /** null to send at once */
  scheduledAt: Date | null;
  batchId: string;
  /** in digits; absent unless it is sampled */
  trace?: string;
}

/** The emails of each request that are not suppressed form a batch; those with a time have one each. */
const batches = Prisma.sql`
  INSERT INTO "DeliveryBatch" ("id", "projectId", "priority", "domainId", "nextAttemptAt", "trace", "emailIds")
  SELECT "batchId", "project", "priority", "senderId", coalesce("scheduledAt", now()), decode(min("trace"), 'hex'), array_agg("emailId" ORDER BY "i")
  FROM "accepted" WHERE "reason" IS NULL GROUP BY "batchId", "project", "priority", "senderId", "scheduledAt"`;

/** @param rows the alias of rows with the columns of `located` */
const recipientOf = (rows: string) => ({
  project: constant(`${rows}."project"`),
  address: constant(`${rows}."address"`),
  type: constant(`${rows}."type"`),
  choices: choicesOf(rows),
  topic: null,
});

/** What only some requests need. A statement has a part for it only if one of its requests does. */
interface Parts {
  /** a sender is the sandbox, which reaches few addresses */
  sandbox: boolean;
  tags: boolean;
  /** a content has a topic: any other marketing email belongs to `general` */
  topics: boolean;
}

const isTransactional = constant(`l."type" = 'TRANSACTIONAL'`);

/** The topic of the content of the row `l`, as the row `topic`. */
const topicOfRow = constant(`LEFT JOIN LATERAL (
    SELECT t."number", t."default" = 'IN' AS "isIn" FROM "Topic" t
    WHERE t."id" = l."topicId" AND t."projectId" = l."project" AND NOT t."archived" AND t."deletedAt" IS NULL
  ) topic ON l."topicId" IS NOT NULL`);

/** Whether the recipient does not receive the topic of the content. */
const topicOff = ({ topics }: Parts): Prisma.Sql =>
  topics
    ? excluded.topic({
        ...recipientOf('l'),
        topic: { number: constant('topic."number"'), isIn: constant('topic."isIn"') },
      })
    : excluded.topic(recipientOf('l'));

/** Why an email that is accepted will not be sent. */
const reasonOf = (parts: Parts): Prisma.Sql =>
  Prisma.sql`CASE ${parts.topics ? Prisma.sql`WHEN ${isTransactional} AND ${topicOff(parts)} THEN 'topic'` : Prisma.empty} WHEN ${isSuppressedByRow(recipientOf('l'))} THEN 'suppressed'${
    parts.sandbox
      ? Prisma.sql` WHEN l."domain" IS NULL AND ${excluded.sandbox(recipientOf('l'))} THEN 'sandbox'`
      : Prisma.empty
  } END`;

const tagged = Prisma.sql`, "tagged" AS (
  INSERT INTO "EmailTag" ("projectId", "tag", "emailId")
  SELECT a."project", t."tag", a."emailId" FROM "accepted" a CROSS JOIN LATERAL unnest(a."tags") AS t("tag")
)`;

interface GroupValues {
  rows: string;
  contents: string;
  ttlHours: number;
  takesLocal: boolean;
}

/*
 * Every refusal is found before anything is written and concerns all recipients of its request: the least text of a request,
 * which begins with the refusal's rank (and names the first of the recipients concerned). Caps are the last of them, because they
 * reserve: without caps the statement has no trace of them.
 */
const acceptGroupSql = (
  { rows, contents, ttlHours, takesLocal }: ParametersOf<GroupValues>,
  caps: Caps,
  parts: Parts,
): Prisma.Sql => Prisma.sql`
WITH "row" AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset(${rows}::jsonb) AS r("n" int, "i" int, ${contactRowColumns}, ${keyRowColumns},
    "emailId" uuid, "name" text, "transient" jsonb, "domain" text, "type" "EmailClass", "source" "EmailSource", "contentId" uuid, "topicId" uuid,
    "isFresh" boolean, "tracked" boolean, "templateId" uuid, "tags" text[], "metadata" jsonb, "priority" smallint, "scheduledAt" timestamptz, "batchId" uuid, "trace" text)
), ${locatedContacts}, ${caps.judged} AS MATERIALIZED (
  SELECT l.*, sender."id" AS "senderId", min(
    CASE WHEN l."isBusy" THEN '1:alone'
      WHEN l."isTooLarge" THEN '2:data_too_large:' || l."address"
      ${parts.topics ? constant(`WHEN l."topicId" IS NOT NULL AND topic."number" IS NULL THEN '2:topic'`) : Prisma.empty}
      WHEN ${excluded.unsubscribed(recipientOf('l'))} THEN '3' || to_char(l."i", 'FM0000') || ':unsubscribed:' || l."address"
      WHEN NOT ${isTransactional} AND ${topicOff(parts)} THEN '3' || to_char(l."i", 'FM0000') || ':topic_off:' || l."address"
      WHEN sender."id" IS NULL AND l."domain" IS NOT NULL THEN '4:sender'
      -- By the id alone: an index that begins with the project would be read for all of its contents.
      WHEN NOT l."isFresh" AND (SELECT c."projectId" FROM "Content" c WHERE c."id" = l."contentId") IS DISTINCT FROM l."project"
        THEN '5:content' END) OVER (PARTITION BY l."n") AS ${caps.judgement},
    ${reasonOf(parts)} AS "reason"
  FROM "located" l
  LEFT JOIN LATERAL (
    SELECT d."id" FROM "Domain" d WHERE d."projectId" = l."project" AND d."domain" = l."domain" AND d."status" = 'VERIFIED'
      AND (${takesLocal}::boolean OR d."verifiedBy" IS DISTINCT FROM 'LOCAL_MAILBOX') LIMIT 1
  ) sender ON true ${parts.topics ? topicOfRow : Prisma.empty}
), ${caps.reserve}${usedKeysCte(ttlHours, { emailIds: constant('array_agg("emailId" ORDER BY "i")') })}, "decided" AS MATERIALIZED (
  SELECT c.*, coalesce("refusal", CASE WHEN NOT ${usesFreeKey} THEN '6:idempotency' END) AS "decision" FROM "checked" c
), "accepted" AS MATERIALIZED (
  SELECT d.* FROM "decided" d WHERE d."decision" IS NULL
), ${storedContacts}, "content" AS (${insertContents(contents, Prisma.sql`"id" IN (SELECT "contentId" FROM "accepted")`)}
), "email" AS (
  INSERT INTO "Email" ("id", "projectId", "contactId", "to", "toName", "type", "sourceType", "contentId", "vars", "tracked", "templateId",
    "acceptedSubscribed", "tags", "metadata", "scheduledAt", "status", "reason", "batchId")
  SELECT "emailId", "project", "contactId", "address", "name", "type", "source", "contentId", "data" || "transient", "tracked", "templateId",
    "subscribed", "tags", "metadata", "scheduledAt", CASE WHEN "reason" IS NULL THEN 'PENDING'::"EmailStatus" ELSE 'SKIPPED' END, "reason",
    CASE WHEN "reason" IS NULL THEN "batchId" END
  FROM "accepted"
), "batch" AS (${batches}
)${parts.tags ? tagged : Prisma.empty}${caps.giveBack}
SELECT "n", "i", "contactId", "decision", "reason", ${storedContactsCheck('send')} FROM "decided"`;

const acceptGroup = (suffix: string, parts: Parts) => ({
  plain: prepared<GroupValues>(`accept-group${suffix}`, (values) => acceptGroupSql(values, noCaps, parts)),
  capped: prepared<GroupValues & AppliedCaps>(`accept-group-capped${suffix}`, (values) =>
    acceptGroupSql(values, groupCaps(values), parts),
  ),
});

const suffixOf = (parts: Parts): string =>
  (['sandbox', 'tags', 'topics'] as const).flatMap((part) => (parts[part] ? `-${part}` : [])).join('');

const either = [false, true];
const statements = new Map(
  either
    .flatMap((sandbox) => either.flatMap((tags) => either.map((topics) => ({ sandbox, tags, topics }))))
    .map((parts) => [suffixOf(parts), acceptGroup(suffixOf(parts), parts)]),
);

function statementsFor(requests: readonly AcceptRequest[]): ReturnType<typeof acceptGroup> {
  const found = statements.get(
    suffixOf({
      sandbox: requests.some(({ senderDomain }) => senderDomain === null),
      tags: requests.some((request) => request.tags !== undefined),
      topics: requests.some(({ content }) => content.topicId !== undefined),
    }),
  );
  if (!found) throw new Error('there is a statement for each choice of parts');
  return found;
}

type Decision = [n: number, i: number, contactId: string, decision: string | null, reason: string | null];

/** The refusal of a request, or `content`: its content is not stored and must be sent along. */
export type GroupOutcome = Outcome<AcceptedEmail[] | 'content'>;

export interface GroupStatement {
  /** whether the content of a request is known to be stored; its text then stays here */
  isStored(request: AcceptRequest): boolean;
  ttlHours: number;
  caps: AppliedCaps;
  /** whether email goes to the local mailbox, so that a domain counts that nothing else has verified */
  takesLocal: boolean;
}

/** Stores several sends in one statement: the same rules as `acceptSend`, each request with an outcome of its own. */
export async function acceptTogether(
  pool: Pool,
  requests: readonly AcceptRequest[],
  statement: GroupStatement,
): Promise<GroupOutcome[]> {
  try {
    return await storeTogether(pool, requests, statement);
  } catch (error) {
    // A contact was created by another transaction in the meantime.
    if (databaseCode(error) === 'PR001') return requests.map(() => 'alone');
    throw error;
  }
}

/** The same, throwing an error of SQLSTATE PR001 when a contact was created by another transaction in the meantime. */
export async function storeTogether(
  client: Pick<ClientBase, 'query'>,
  requests: readonly AcceptRequest[],
  { isStored, ttlHours, caps, takesLocal }: GroupStatement,
): Promise<GroupOutcome[]> {
  const fresh = new Map(
    requests.filter((request) => !isStored(request)).map((request) => [request.identity.id, request]),
  );
  const values: GroupValues = {
    rows: JSON.stringify(rowsOf(requests, fresh)),
    contents: JSON.stringify(
      [...fresh.values()].map(({ content, identity }) => contentJson(content, identity)),
    ),
    ttlHours,
    takesLocal,
  };
  const { plain, capped } = statementsFor(requests);
  const statement = isCapped(caps) ? capped({ ...values, ...caps }) : plain(values);
  const { rows } = await client.query<Decision>({ ...statement, rowMode: 'array' });
  return outcomesOf(requests, rows);
}

/** One object per recipient, filled in place: this runs for every email, and copies of a row of thirty columns show in what a request costs. */
function rowsOf(requests: readonly AcceptRequest[], fresh: ReadonlyMap<string, unknown>): Row[] {
  const contactRow = contactRows(false);
  const rows: Row[] = [];
  for (const [n, request] of requests.entries()) {
    const { content, identity, idempotency, scheduledAt } = request;
    const changes = new Map(request.changes.map((change) => [change.email, change]));
    const isFresh = fresh.has(identity.id);
    const batchId = newId();
    for (const [i, { emailId, address, name, transient }] of request.recipients.entries()) {
      const change = changes.get(address);
      if (!change) continue;
      const row = contactRow(content.projectId, change) as Row;
      if (idempotency) Object.assign(row, keyRowOf(idempotency));
      row.n = n;
      row.i = i;
      row.emailId = emailId;
      row.name = name;
      row.transient = transient;
      row.domain = request.senderDomain;
      row.type = content.type;
      row.source = content.sourceType;
      row.contentId = identity.id;
      row.topicId = content.topicId;
      row.isFresh = isFresh;
      row.tracked = request.tracked;
      row.templateId = request.templateId;
      row.tags = request.tags;
      row.metadata = request.metadata;
      row.priority = request.priority;
      row.scheduledAt = scheduledAt ?? null;
      row.batchId = scheduledAt ? newId() : batchId;
      if (request.trace) row.trace = request.trace.toString('hex');
      rows.push(row);
    }
  }
  return rows;
}

function outcomesOf(requests: readonly AcceptRequest[], decisions: readonly Decision[]): GroupOutcome[] {
  const outcomes: (GroupOutcome | undefined)[] = requests.map(() => undefined);
  const answers = requests.map((): AcceptedEmail[] => []);
  for (const [n, i, contactId, decision, reason] of decisions) {
    const recipient = requests[n]?.recipients[i];
    const answer = answers[n];
    if (!recipient || !answer)
      throw new Error('the group statement answered a request that is not in the group');
    if (decision === null) {
      answer[i] = { id: recipient.emailId, contactId, contactEmail: recipient.address, reason };
      outcomes[n] = { answer };
    } else outcomes[n] = outcomeOf(decision.slice(decision.indexOf(':') + 1));
  }
  return outcomes.map((outcome) => outcome ?? { error: new Error('a request was not stored by its group') });
}

function outcomeOf(decision: string): GroupOutcome {
  if (decision === 'alone') return 'alone';
  if (decision === 'content') return { answer: 'content' };
  return { error: refusedWith(decision) };
}
