import type { Pool } from 'pg';
import {
  type ContactRowInput,
  contactRowColumns,
  contactRows,
  locatedContacts,
  storedContacts,
  storedContactsCheck,
} from '../../audience/contacts/index.ts';
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
  /** whether the statement has the text of the content */
  isFresh: boolean;
  tracked: boolean;
  templateId: string | null;
  priority: number;
  batchId: string;
}

/** The emails of each request that are not suppressed form a batch. */
const batches = Prisma.sql`
  INSERT INTO "DeliveryBatch" ("id", "projectId", "priority", "domainId", "emailIds")
  SELECT "batchId", "project", "priority", "senderId", array_agg("emailId" ORDER BY "i") FROM "accepted" WHERE NOT "isSuppressed"
  GROUP BY "batchId", "project", "priority", "senderId"`;

interface GroupValues {
  rows: string;
  contents: string;
  ttlHours: number;
  takesLocal: boolean;
}

/** @param rows the alias of rows with the columns of `located` */
const recipientOf = (rows: string) => ({
  project: constant(`${rows}."project"`),
  address: constant(`${rows}."address"`),
  type: constant(`${rows}."type"`),
  subscribed: constant(`${rows}."subscribed"`),
});

/*
 * Every refusal is found before anything is written and concerns all recipients of its request: the least text of a request,
 * which begins with the refusal's rank (and names the first of the recipients concerned). Caps are the last of them, because they
 * reserve: without caps the statement has no trace of them.
 */
const acceptGroupSql = (
  { rows, contents, ttlHours, takesLocal }: ParametersOf<GroupValues>,
  caps: Caps,
): Prisma.Sql => Prisma.sql`
WITH "row" AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset(${rows}::jsonb) AS r("n" int, "i" int, ${contactRowColumns}, ${keyRowColumns},
    "emailId" uuid, "name" text, "transient" jsonb, "domain" text, "type" "EmailClass", "source" "EmailSource", "contentId" uuid,
    "isFresh" boolean, "tracked" boolean, "templateId" uuid, "priority" smallint, "batchId" uuid)
), ${locatedContacts}, ${caps.judged} AS MATERIALIZED (
  SELECT l.*, sender."id" AS "senderId", min(
    CASE WHEN l."isBusy" THEN '1:alone'
      WHEN l."isTooLarge" THEN '2:data_too_large:' || l."address"
      WHEN ${excluded.unsubscribed(recipientOf('l'))} THEN '3' || to_char(l."i", 'FM0000') || ':unsubscribed:' || l."address"
      WHEN sender."id" IS NULL AND l."domain" IS NOT NULL THEN '4:sender'
      -- By the id alone: an index that begins with the project would be read for all of its contents.
      WHEN NOT l."isFresh" AND (SELECT c."projectId" FROM "Content" c WHERE c."id" = l."contentId") IS DISTINCT FROM l."project"
        THEN '5:content' END) OVER (PARTITION BY l."n") AS ${caps.judgement}
  FROM "located" l
  LEFT JOIN LATERAL (
    SELECT d."id" FROM "Domain" d WHERE d."projectId" = l."project" AND d."domain" = l."domain" AND d."status" = 'VERIFIED'
      AND (${takesLocal}::boolean OR d."verifiedBy" IS DISTINCT FROM 'LOCAL_MAILBOX') LIMIT 1
  ) sender ON true
), ${caps.reserve}${usedKeysCte(ttlHours)}, "decided" AS MATERIALIZED (
  SELECT c.*, coalesce("refusal", CASE WHEN NOT ${usesFreeKey} THEN '6:idempotency' END) AS "decision" FROM "checked" c
), "accepted" AS MATERIALIZED (
  SELECT d.*, ${isSuppressedByRow(recipientOf('d'))} AS "isSuppressed"
  FROM "decided" d WHERE d."decision" IS NULL
), ${storedContacts('api')}, "content" AS (${insertContents(contents, Prisma.sql`"id" IN (SELECT "contentId" FROM "accepted")`)}
), "email" AS (
  INSERT INTO "Email" ("id", "projectId", "contactId", "to", "toName", "type", "sourceType", "contentId", "vars", "tracked", "templateId",
    "acceptedSubscribed", "status", "reason", "batchId")
  SELECT "emailId", "project", "contactId", "address", "name", "type", "source", "contentId", "data" || "transient", "tracked", "templateId",
    "subscribed", CASE WHEN "isSuppressed" THEN 'SKIPPED'::"EmailStatus" ELSE 'PENDING' END, CASE WHEN "isSuppressed" THEN 'suppressed' END,
    CASE WHEN NOT "isSuppressed" THEN "batchId" END
  FROM "accepted"
), "batch" AS (${batches}
)${caps.giveBack}
SELECT "n", "i", "contactId", "decision", ${storedContactsCheck} FROM "decided"`;

const acceptGroup = {
  plain: prepared<GroupValues>('accept-group', (values) => acceptGroupSql(values, noCaps)),
  capped: prepared<GroupValues & AppliedCaps>('accept-group-capped', (values) =>
    acceptGroupSql(values, groupCaps(values)),
  ),
};

type Decision = [n: number, i: number, contactId: string, decision: string | null];

/** The refusal of a request, or `content`: its content is not stored and must be sent along. */
export type GroupOutcome = Outcome<AcceptedEmail[] | 'content'>;

/**
 * Stores several sends in one statement: the same rules as `acceptSend`, each request with an outcome of its own.
 *
 * @param isStored whether the content of a request is known to be stored; its text then stays here
 * @param takesLocal whether email goes to the local mailbox, so that a domain counts that nothing else has verified
 */
export async function acceptTogether(
  pool: Pool,
  requests: readonly AcceptRequest[],
  {
    isStored,
    ttlHours,
    caps,
    takesLocal,
  }: {
    isStored(request: AcceptRequest): boolean;
    ttlHours: number;
    caps: AppliedCaps;
    takesLocal: boolean;
  },
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
  const statement = isCapped(caps) ? acceptGroup.capped({ ...values, ...caps }) : acceptGroup.plain(values);
  try {
    const { rows } = await pool.query<Decision>({ ...statement, rowMode: 'array' });
    return outcomesOf(requests, rows);
  } catch (error) {
    // A contact was created by another transaction in the meantime.
    if (databaseCode(error) === 'PR001') return requests.map(() => 'alone');
    throw error;
  }
}

function rowsOf(requests: readonly AcceptRequest[], fresh: ReadonlyMap<string, unknown>): Row[] {
  const contactRow = contactRows(false);
  return requests.flatMap((request, n) => {
    const { content, identity, idempotency, tracked, templateId, priority, senderDomain: domain } = request;
    const changes = new Map(request.changes.map((change) => [change.email, change]));
    const isFresh = fresh.has(identity.id);
    const batchId = newId();
    return request.recipients.flatMap(({ emailId, address, name, transient }, i) => {
      const change = changes.get(address);
      if (!change) return [];
      return {
        ...contactRow(content.projectId, change),
        ...keyRowOf(idempotency),
        ...{ n, i, emailId, name, transient, domain, type: content.type, source: content.sourceType },
        ...{ contentId: identity.id, isFresh, tracked, templateId, priority, batchId },
      };
    });
  });
}

function outcomesOf(requests: readonly AcceptRequest[], decisions: readonly Decision[]): GroupOutcome[] {
  const outcomes: (GroupOutcome | undefined)[] = requests.map(() => undefined);
  const answers = requests.map((): AcceptedEmail[] => []);
  for (const [n, i, contactId, decision] of decisions) {
    const recipient = requests[n]?.recipients[i];
    const answer = answers[n];
    if (!recipient || !answer)
      throw new Error('the group statement answered a request that is not in the group');
    if (decision === null) {
      answer[i] = { id: recipient.emailId, contactId, contactEmail: recipient.address };
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
