import { createHash } from 'node:crypto';
import { type ApprovalStatus, type Db, Prisma } from '../../base/db/index.ts';
import type { Actor, Keyset, NamedKey, ProjectState } from '../../base/kernel/index.ts';
import { canonicalJson } from '../../base/lib/index.ts';
import { authorOf, presentActor } from '../../people/audit/index.ts';
import { type Effects, idsIn, namedRecipients } from './approvals.rules.ts';

export interface ApprovalRow {
  id: string;
  projectId: string;
  operation: string;
  campaignId: string | null;
  summary: string;
  input: Record<string, unknown> | null;
  hash: string;
  records: string | null;
  actorType: string;
  actorId: string | null;
  keyName: string | null;
  note: string | null;
  status: ApprovalStatus;
  result: Record<string, unknown> | null;
  error: Record<string, unknown> | null;
  decidedById: string | null;
  decidedByEmail: string | null;
  requestedByEmail: string | null;
  reason: string | null;
  createdAt: Date;
  expiresAt: Date | null;
  decidedAt: Date | null;
}

const columns = Prisma.sql`a."id", a."projectId", a."operation", a."campaignId", a."summary", a."input", a."hash", a."records", a."actorType",
  a."actorId", a."keyName", a."note", a."result", a."error", a."decidedById", a."reason", a."createdAt", a."expiresAt", a."decidedAt",
  u."email" AS "decidedByEmail", r."email" AS "requestedByEmail",
  CASE WHEN a."status" = 'PENDING' AND a."expiresAt" <= now() THEN 'EXPIRED' ELSE a."status" END AS "status"`;
const people = Prisma.sql`LEFT JOIN "User" u ON u."id" = a."decidedById"
  LEFT JOIN "User" r ON a."actorType" = 'user' AND r."id" = a."actorId"`;

export interface ApprovalSearch {
  projectId: string;
  /** of a key, which sees its own */
  keyId: string | null | undefined;
  status?: ApprovalStatus | undefined;
}

const matches = ({
  projectId,
  keyId,
  status,
}: ApprovalSearch): Prisma.Sql => Prisma.sql`a."projectId" = ${projectId}::uuid
  ${keyId === undefined ? Prisma.empty : Prisma.sql`AND a."actorType" = 'key' AND a."actorId" IS NOT DISTINCT FROM ${keyId}::uuid`}
  ${
    status === undefined
      ? Prisma.empty
      : Prisma.sql`AND CASE WHEN a."status" = 'PENDING' AND a."expiresAt" <= now() THEN 'EXPIRED' ELSE a."status" END = ${status}::"ApprovalStatus"`
  }`;

/** Newest first. */
export const findApprovals = (
  db: Db,
  search: ApprovalSearch,
  after: Keyset | null,
  limit: number,
): Promise<ApprovalRow[]> => db.$queryRaw<ApprovalRow[]>`
  SELECT ${columns} FROM "Approval" a ${people} WHERE ${matches(search)}
    ${after ? Prisma.sql`AND (a."createdAt", a."id") < (${after.value}::timestamptz, ${after.id}::uuid)` : Prisma.empty}
  ORDER BY a."createdAt" DESC, a."id" DESC LIMIT ${limit}::int`;

export async function countApprovals(db: Db, search: ApprovalSearch): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS "count" FROM "Approval" a WHERE ${matches(search)}`;
  return row?.count ?? 0;
}

export async function findApproval(db: Db, search: ApprovalSearch, id: string): Promise<ApprovalRow | null> {
  const [row] = await db.$queryRaw<ApprovalRow[]>`
    SELECT ${columns} FROM "Approval" a ${people} WHERE ${matches(search)} AND a."id" = ${id}::uuid`;
  return row ?? null;
}

/** The same, held until the end of the transaction. */
export async function lockApproval(db: Db, projectId: string, id: string): Promise<ApprovalRow | null> {
  await db.$queryRaw`
    SELECT "id" FROM "Approval" WHERE "id" = ${id}::uuid AND "projectId" = ${projectId}::uuid FOR UPDATE`;
  return findApproval(db, { projectId, keyId: undefined }, id);
}

export interface NewApproval {
  id: string;
  projectId: string;
  operation: string;
  campaignId: string | null;
  summary: string;
  input: Record<string, unknown>;
  hash: string;
  records: string;
  actor: Actor;
  expiresAt: Date;
}

/** Serialises what asks in a project, and ends what is too old. @returns how many wait */
export async function beginAsking(db: Db, projectId: string): Promise<number> {
  await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`approvals:${projectId}`}, 0))`;
  await db.$executeRaw`
    UPDATE "Approval" SET "status" = 'EXPIRED' WHERE "projectId" = ${projectId}::uuid AND "status" = 'PENDING' AND "expiresAt" <= now()`;
  return db.approval.count({ where: { projectId, status: 'PENDING' } });
}

/** The same call of the same key, which waits already. */
export const findWaiting = (db: Db, projectId: string, actor: Actor, hash: string) =>
  db.approval.findFirst({
    where: { projectId, hash, status: 'PENDING', actorId: authorOf(actor).actorId },
    select: { id: true, summary: true, expiresAt: true },
  });

export async function insertApproval(db: Db, { actor, input, ...row }: NewApproval): Promise<void> {
  await db.approval.create({
    data: { ...row, input: input as Prisma.InputJsonObject, ...authorOf(actor) },
  });
}

/** Of a campaign, while its row is locked: at the time of the statement, so that the latest one is the last that was asked for. */
export async function insertCampaignApproval(
  db: Db,
  {
    id,
    projectId,
    campaignId,
    summary,
    hash,
    records,
    note,
    actor,
  }: Omit<NewApproval, 'operation' | 'input' | 'expiresAt'> & { note: string | null },
): Promise<void> {
  const { actorType, actorId, keyName } = authorOf(actor);
  await db.$executeRaw`
    INSERT INTO "Approval" ("id", "projectId", "operation", "campaignId", "summary", "hash", "records", "actorType", "actorId", "keyName", "note", "createdAt")
    VALUES (${id}::uuid, ${projectId}::uuid, 'campaigns.send', ${campaignId}::uuid, ${summary}, ${hash}, ${records}, ${actorType}, ${actorId}::uuid,
      ${keyName}, ${note}, clock_timestamp())`;
}

/** Notes that people are told now, unless they were in the last hour. @returns whether they are to be told */
export async function takeTelling(db: Db, projectId: string, id: string): Promise<boolean> {
  const count = await db.$executeRaw`
    UPDATE "Approval" SET "toldAt" = now() WHERE "id" = ${id}::uuid AND NOT EXISTS (
      SELECT FROM "Approval" t WHERE t."projectId" = ${projectId}::uuid AND t."toldAt" > now() - interval '1 hour')`;
  return count > 0;
}

export interface Decision {
  status: ApprovalStatus;
  userId: string;
  reason?: string | null;
  result?: Record<string, unknown> | null;
  error?: Record<string, unknown> | null;
}

/** Moves what waits to its next state. @returns false when another has decided */
export async function decide(
  db: Db,
  id: string,
  { status, userId, reason = null, result = null, error = null }: Decision,
): Promise<boolean> {
  const count = await db.$executeRaw`
    UPDATE "Approval" SET "status" = ${status}::"ApprovalStatus", "decidedById" = ${userId}::uuid, "decidedAt" = now(), "reason" = ${reason},
      "result" = ${jsonOf(result)}::jsonb, "error" = ${jsonOf(error)}::jsonb
    WHERE "id" = ${id}::uuid AND "status" = 'PENDING'`;
  return count > 0;
}

/** Ends what is running; once. */
export async function settle(
  db: Db,
  id: string,
  { status, result = null, error = null }: Omit<Decision, 'userId' | 'reason'>,
): Promise<void> {
  await db.$executeRaw`
    UPDATE "Approval" SET "status" = ${status}::"ApprovalStatus", "result" = ${jsonOf(result)}::jsonb, "error" = ${jsonOf(error)}::jsonb
    WHERE "id" = ${id}::uuid AND "status" = 'RUNNING'`;
}

const jsonOf = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));

/** Calls whose process ended before they did. */
export const findInterrupted = (db: Db, seconds: number, limit: number) =>
  db.$queryRaw<{ id: string; projectId: string }[]>`
    SELECT "id", "projectId" FROM "Approval" WHERE "status" = 'RUNNING' AND "decidedAt" < now() - ${seconds}::int * interval '1 second'
    ORDER BY "decidedAt" LIMIT ${limit}::int`;

export async function removeOldApprovals(db: Db, before: Date, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "Approval" WHERE "id" IN (
      SELECT "id" FROM "Approval" WHERE "createdAt" < ${before} AND "status" <> 'RUNNING' ORDER BY "createdAt" LIMIT ${limit}::int)`;
}

/** The key that asked, with its present scope; null when it no longer works. */
export async function findAgent(db: Db, projectId: string, keyId: string | null): Promise<NamedKey | null> {
  if (keyId === null) return null;
  const key = await db.apiKey.findFirst({ where: { id: keyId, projectId, scope: 'agent' } });
  if (!key || key.name === null || (key.expiresAt && key.expiresAt <= new Date())) return null;
  return {
    id: key.id,
    name: key.name,
    scope: key.scope,
    domains: key.domains.length > 0 ? key.domains : null,
  };
}

export async function findProjectState(db: Db, id: string): Promise<ProjectState | null> {
  const row = await db.project.findFirst({ where: { id, deletedAt: null } });
  if (!row) return null;
  const { name, disabled, language, timeZone, tracking } = row;
  const definesFields = (await db.fieldDefinition.count({ where: { projectId: id }, take: 1 })) > 0;
  return { id, name, disabled, language, timeZone, tracking, definesFields };
}

/** What decides what a call does, of each kind of record that it can name: `updatedAt` also moves for other reasons. */
const contentOf = {
  Campaign: Prisma.sql`jsonb_build_array("subject", "preheader", "body", "text", "from", "fromName", "replyTo", "type", "audienceType",
    "audienceCondition", "segmentId", "templateId", "scheduledFor", "topicId", "exemptFromLimits", "guard", "perHour", "careful", "holdout")
    || CASE WHEN "localAt" IS NULL THEN '[]' ELSE jsonb_build_array("localAt", "whenPassed") END`,
  Template: Prisma.sql`jsonb_build_array("subject", "preheader", "body", "text", "from", "fromName", "replyTo", "type")`,
  Segment: Prisma.sql`jsonb_build_array("type", "condition", "trackMembership")`,
  Workflow: Prisma.sql`jsonb_build_array("triggerType", "triggerConfig", "allowReentry", "enabled",
    (SELECT jsonb_agg(jsonb_build_array(s."id", s."type", s."config", s."templateId") ORDER BY s."id") FROM "WorkflowStep" s WHERE s."workflowId" = t."id"),
    (SELECT jsonb_agg(to_jsonb(w) - 'createdAt' ORDER BY w."id") FROM "WorkflowTransition" w WHERE w."workflowId" = t."id"))`,
  SavedBlock: Prisma.sql`jsonb_build_array("updatedAt")`,
  Contact: Prisma.sql`jsonb_build_array("updatedAt")`,
  WebhookEndpoint: Prisma.sql`jsonb_build_array("updatedAt")`,
} as const;

/** Records whose names a title may have. */
const namedRecords = 50;
/** How far records lead to others: a campaign to a segment, a workflow to templates. */
const mostSteps = 6;
const mostRecords = 2_000;

/**
 * One text for the records that an input names, and those behind them, as they are now: it differs when one of them has changed.
 *
 * @param alias of a template
 */
export async function recordsOf(db: Db, projectId: string, input: Record<string, unknown>): Promise<string> {
  const seen = new Set<string>();
  const found: string[] = [];
  let ids = idsIn(JSON.stringify(input));
  const alias = typeof input['template'] === 'string' ? input['template'] : null;
  if (alias !== null) {
    const template = await db.template.findFirst({ where: { projectId, alias }, select: { id: true } });
    if (template) ids.push(template.id);
  }
  for (let step = 0; step < mostSteps && ids.length > 0 && seen.size < mostRecords; step += 1) {
    const given = ids.slice(0, mostRecords);
    for (const id of given) seen.add(id);
    const kinds = Object.entries(contentOf).map(
      ([table, content]) => Prisma.sql`
        SELECT ${table} AS "table", t."id"::text AS "id", ${content}::text AS "content" FROM ${Prisma.raw(`"${table}"`)} t
        WHERE t."projectId" = ${projectId}::uuid AND t."id" = ANY(${given}::uuid[])`,
    );
    const rows = await db.$queryRaw<{ table: string; id: string; content: string }[]>`
      ${Prisma.join(kinds, ' UNION ALL ')}`;
    found.push(...rows.map((row) => `${row.table} ${row.id} ${digest(row.content)}`));
    ids = [...new Set(rows.flatMap(({ content }) => idsIn(content)))].filter((id) => !seen.has(id));
  }
  return digest(found.sort().join('\n'));
}

export const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What a person agrees to. */
export const hashOf = (operation: string, input: Record<string, unknown>, records: string): string =>
  digest(canonicalJson({ operation, input, records }));

/** How far the queues are, so that what comes later is known. */
export async function queueMarks(db: Db): Promise<{ events: bigint; touched: bigint }> {
  // A sequence that was never used will give its `last_value`.
  const given = Prisma.sql`"last_value" - CASE WHEN "is_called" THEN 0 ELSE 1 END`;
  const [row] = await db.$queryRaw<{ events: bigint; touched: bigint }[]>`
    SELECT (SELECT ${given} FROM "EventDispatch_seq_seq") AS "events", (SELECT ${given} FROM "TouchSeq") AS "touched"`;
  return row ?? { events: 0n, touched: 0n };
}

/** What the transaction of a dry run has made since the marks were taken. */
export async function effectsSince(
  db: Db,
  projectId: string,
  { events, touched }: { events: bigint; touched: bigint },
): Promise<Effects> {
  const now = Prisma.sql`now()::timestamptz(3)`;
  const [row] = await db.$queryRaw<
    { total: number; liftsOptOut: boolean; touchesSegments: boolean; listens: boolean }[]
  >`
    SELECT (SELECT count(*)::int FROM "Email" WHERE "projectId" = ${projectId}::uuid AND "createdAt" = ${now}) AS "total",
      EXISTS (SELECT FROM "Event" WHERE "projectId" = ${projectId}::uuid AND "name" = 'contact.subscribed' AND "createdAt" >= ${now}) AS "liftsOptOut",
      EXISTS (SELECT FROM "TouchedContact" WHERE "projectId" = ${projectId}::uuid AND "seq" > ${touched}) AS "touchesSegments",
      EXISTS (SELECT FROM "EventDispatch" WHERE "projectId" = ${projectId}::uuid AND "seq" > ${events}) AS "listens"`;
  const recipients = await db.$queryRaw<{ to: string; reason: string | null }[]>`
    SELECT "to", "reason" FROM "Email" WHERE "projectId" = ${projectId}::uuid AND "createdAt" = ${now} ORDER BY "id" LIMIT ${namedRecipients}::int`;
  const workflows = await db.$queryRaw<{ id: string; name: string }[]>`
    SELECT w."id", w."name" FROM "Workflow" w WHERE w."projectId" = ${projectId}::uuid AND (
      EXISTS (SELECT FROM "WorkflowExecution" x WHERE x."workflowId" = w."id" AND x."createdAt" = ${now})
      OR (w."enabled" AND EXISTS (
        SELECT FROM "EventDispatch" d JOIN "Event" e ON e."id" = d."eventId"
        WHERE d."projectId" = ${projectId}::uuid AND d."seq" > ${events} AND ('event.' || e."name") = ANY(w."reads"))))
    ORDER BY w."name" LIMIT 20`;
  return {
    recipients,
    total: row?.total ?? 0,
    contacts: 0,
    liftsOptOut: row?.liftsOptOut ?? false,
    touchesSegments: (row?.touchesSegments ?? false) || (row?.listens ?? false),
    workflows,
  };
}

/** How many contacts a job in the background changes. */
export async function contactsOfJob(db: Db, projectId: string, id: string): Promise<number> {
  const job = await db.job.findFirst({ where: { id, projectId }, select: { input: true } });
  const { total } = (job?.input ?? {}) as { total?: unknown };
  return typeof total === 'number' ? total : 0;
}

/** An email before it is rendered. */
export interface WrittenMail {
  from: string;
  subject: string;
  body: string;
  type: 'TRANSACTIONAL' | 'MARKETING' | 'HEADLESS';
  /** of its first recipient; none of a campaign */
  vars?: Record<string, unknown> | null;
}

/** The first email of the dry run. */
export const findMail = (db: Db, projectId: string): Promise<WrittenMail[]> =>
  db.$queryRaw<WrittenMail[]>`
    SELECT c."from", c."subject", c."body", c."type", e."vars" FROM "Email" e JOIN "Content" c ON c."id" = e."contentId"
    WHERE e."projectId" = ${projectId}::uuid AND e."createdAt" = now()::timestamptz(3) ORDER BY e."id" LIMIT 1`;

export const findWritten = (db: Db, projectId: string, campaignId: string): Promise<WrittenMail | null> =>
  db.campaign.findFirst({
    where: { id: campaignId, projectId },
    select: { from: true, subject: true, body: true, type: true },
  });

/** Whether a change of it changes what is sent without a further decision. */
export interface Liveness {
  campaignIsDraft: boolean;
  workflowIsEnabled: boolean;
  segmentIsTracked: boolean;
  templateIsInUse: boolean;
}

export async function livenessOf(db: Db, projectId: string, id: string): Promise<Liveness> {
  const [row] = await db.$queryRaw<Liveness[]>`
    SELECT EXISTS (SELECT FROM "Campaign" WHERE "id" = ${id}::uuid AND "projectId" = ${projectId}::uuid AND "status" = 'DRAFT') AS "campaignIsDraft",
      EXISTS (SELECT FROM "Workflow" WHERE "id" = ${id}::uuid AND "projectId" = ${projectId}::uuid AND "enabled") AS "workflowIsEnabled",
      EXISTS (SELECT FROM "Segment" WHERE "id" = ${id}::uuid AND "projectId" = ${projectId}::uuid AND "trackMembership") AS "segmentIsTracked",
      EXISTS (SELECT FROM "WorkflowStep" s JOIN "Workflow" w ON w."id" = s."workflowId"
        WHERE s."templateId" = ${id}::uuid AND s."projectId" = ${projectId}::uuid AND w."enabled") AS "templateIsInUse"`;
  return (
    row ?? { campaignIsDraft: false, workflowIsEnabled: true, segmentIsTracked: true, templateIsInUse: true }
  );
}

export const presentApproval = ({
  projectId: _project,
  records: _records,
  actorType,
  actorId,
  keyName,
  decidedById,
  decidedByEmail,
  requestedByEmail,
  ...row
}: ApprovalRow) => ({
  ...row,
  requestedBy: presentActor({ actorType, actorId, keyName, keyId: null, actorEmail: requestedByEmail }),
  decidedBy:
    decidedById === null
      ? null
      : presentActor({
          ...{ actorType: 'user', actorId: decidedById, keyName: null, keyId: null },
          actorEmail: decidedByEmail,
        }),
});

/** Names of records that an input may name, by their ids: of contacts their addresses, of emails subject and recipient. */
export async function namesOf(
  db: Db,
  projectId: string,
  input: Record<string, unknown>,
): Promise<Map<string, string>> {
  const ids = idsIn(JSON.stringify(input)).slice(0, namedRecords);
  if (ids.length === 0) return new Map();
  const named = (table: string, name: Prisma.Sql) => Prisma.sql`
    SELECT t."id"::text AS "id", ${name} AS "name" FROM ${Prisma.raw(`"${table}"`)} t
    WHERE t."projectId" = ${projectId}::uuid AND t."id" = ANY(${ids}::uuid[])`;
  const rows = await db.$queryRaw<{ id: string; name: string }[]>`
    ${Prisma.join(
      [
        ...['Campaign', 'Template', 'Segment', 'Workflow', 'SavedBlock'].map((table) =>
          named(table, Prisma.sql`t."name"`),
        ),
        named('WebhookEndpoint', Prisma.sql`t."url"`),
        named('Contact', Prisma.sql`t."email"`),
        named(
          'Email',
          Prisma.sql`coalesce(t."subject", (SELECT c."subject" FROM "Content" c WHERE c."id" = t."contentId")) || ' to ' || t."to"`,
        ),
      ],
      ' UNION ALL ',
    )}`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function findTemplateId(db: Db, projectId: string, alias: string): Promise<string | null> {
  const found = await db.template.findFirst({ where: { projectId, alias }, select: { id: true } });
  return found?.id ?? null;
}
