import { withTopics } from '../../audience/topics/index.ts';
import { type Db, type EmailClass, Prisma, type SqlDb } from '../../base/db/index.ts';
import type { Context } from '../../base/kernel/index.ts';
import { newId, type Whole } from '../../base/lib/index.ts';
import { type Design, designOf } from './design.schema.ts';
import { isTemplateId } from './template-reference.schema.ts';
import type { TemplateInput } from './templates.schema.ts';
import { changedFields, insertVersion, jsonOf } from './versions/versions.store.ts';

/** A template without its design, which sending has no use for. */
export type TemplateRow = Omit<Prisma.TemplateGetPayload<object>, 'design' | 'textReads'>;

export interface DesignedTemplateRow extends TemplateRow {
  design: Design | null;
  /** the key of its topic */
  topic: string | null;
}

export interface NewTemplate extends Omit<Whole<TemplateInput>, 'topic'> {
  projectId: string;
  topicId: string | null;
  /** the contact fields that its texts name */
  textReads: string[];
}

/** The transaction of a change and its author. */
type Writer = Pick<Context, 'db' | 'actor'>;

/** Stores the template together with its first version. */
export async function insertTemplate(
  { db, actor }: Writer,
  template: NewTemplate,
): Promise<DesignedTemplateRow> {
  const created = await db.template.create({ data: { ...columnsOf(template), id: newId() }, omit: content });
  const { id: templateId, projectId, lastVersion: number } = created;
  await insertVersion(db, actor, { templateId, projectId, number });
  return {
    ...(await withTopic(db, created)),
    body: template.body,
    text: template.text,
    design: template.design ?? null,
  };
}

async function withTopic<Row extends TemplateColumns>(
  db: Db,
  row: Row,
): Promise<Row & { topic: string | null }> {
  const [found] = await withTopics(db, row.projectId, [row]);
  return { ...row, topic: found?.topic ?? null };
}

type TemplateColumns = Pick<TemplateRow, 'projectId' | 'topicId'>;

/** Columns that a caller has just sent, and that can be megabytes: PostgreSQL does not send them back. */
const content = { body: true, text: true, design: true, textReads: true } as const;

const columnsOf = <Fields extends { design?: Design | null | undefined }>({ design, ...fields }: Fields) => ({
  ...fields,
  ...(design === undefined ? {} : { design: jsonOf(design) }),
});

/** Locks a template until the transaction ends, because a version covers all of its parts. */
export async function lockTemplate(
  db: Db,
  projectId: string,
  reference: string,
): Promise<DesignedTemplateRow | null> {
  const [row] = await db.$queryRaw<
    { id: string }[]
  >`SELECT "id"::text FROM "Template" WHERE ${named(projectId, reference)} FOR UPDATE`;
  return row ? findDesignedTemplate(db, projectId, row.id) : null;
}

export type TemplateChange = {
  [Field in keyof Omit<NewTemplate, 'projectId' | 'textReads'>]?: NewTemplate[Field] | undefined;
};

/**
 * Changes a locked template and stores a new version when its content changed.
 *
 * @param textReads what all of its texts name then; null if that is to be found out later
 */
export async function changeTemplate(
  { db, actor }: Writer,
  template: DesignedTemplateRow,
  change: TemplateChange,
  textReads: string[] | null,
): Promise<DesignedTemplateRow> {
  const { id, projectId } = template;
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const design = designOf(change, template);
  const next = { ...template, ...given, design };
  const hasVersion = changedFields(template, next).length > 0;
  const number = hasVersion ? template.lastVersion + 1 : template.lastVersion;
  const read = hasVersion && textReads !== null ? { textReads } : {};
  const data = { ...columnsOf({ ...given, ...(hasVersion && { design, lastVersion: number }) }), ...read };
  const updated = await db.template.update({ where: { id, projectId }, data, omit: content });
  if (hasVersion && textReads === null)
    await db.$executeRaw`UPDATE "Template" SET "textReads" = NULL WHERE "id" = ${id}::uuid AND "projectId" = ${projectId}::uuid`;
  if (hasVersion) await insertVersion(db, actor, { templateId: id, projectId, number });
  return { ...(await withTopic(db, updated)), body: next.body, text: next.text, design };
}

/** Removes a template with its versions; campaigns copied from it get `templateId` null. */
export async function removeTemplate(db: Db, projectId: string, id: string): Promise<void> {
  await db.$executeRaw`UPDATE "Campaign" SET "templateId" = NULL WHERE "projectId" = ${projectId}::uuid AND "templateId" = ${id}::uuid`;
  await db.templateVersion.deleteMany({ where: { templateId: id, projectId } });
  await db.expiredEmails.deleteMany({ where: { scopeId: id, projectId } });
  await db.template.deleteMany({ where: { id, projectId } });
}

/** How many emails were sent from each template, with those that were removed for their age. */
export async function countSentFromTemplates(
  db: Db,
  projectId: string,
  templateIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.$queryRaw<{ id: string; count: number }[]>(Prisma.sql`
SELECT "id"::text AS "id", sum("count")::int AS "count" FROM (
  SELECT "templateId" AS "id", count(*) AS "count" FROM "Email"
  WHERE "projectId" = ${projectId}::uuid AND "templateId" = ANY(${templateIds}::uuid[]) AND "sentAt" IS NOT NULL GROUP BY 1
  UNION ALL
  SELECT "scopeId", "count" FROM "ExpiredEmails"
  WHERE "scopeId" = ANY(${templateIds}::uuid[]) AND "projectId" = ${projectId}::uuid AND "counter" = 'sentCount') s
GROUP BY 1`);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** SQL: of "Template", the one that a reference names. */
const named = (projectId: string, reference: string): Prisma.Sql =>
  isTemplateId(reference)
    ? Prisma.sql`"id" = ${reference}::uuid AND "projectId" = ${projectId}::uuid`
    : Prisma.sql`"projectId" = ${projectId}::uuid AND "alias" = ${reference}`;

/** The id of the template that a reference names, if it is known without looking; an alias is looked up. */
export async function idOfTemplate(db: SqlDb, projectId: string, reference: string): Promise<string | null> {
  if (isTemplateId(reference)) return reference;
  const [row] = await db.$queryRaw<{ id: string }[]>`
    SELECT "id"::text FROM "Template" WHERE "projectId" = ${projectId}::uuid AND "alias" = ${reference}`;
  return row?.id ?? null;
}

/** Another template that has an alias; until the transaction ends, no other one gets it. */
export async function findOtherWithAlias(
  db: Db,
  projectId: string,
  { alias, id }: { alias: string; id: string | null },
): Promise<string | null> {
  await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`template/${projectId}/${alias}`}, 0))`;
  const other = await idOfTemplate(db, projectId, alias);
  return other === id ? null : other;
}

export async function findTemplate(
  db: SqlDb,
  projectId: string,
  reference: string,
): Promise<TemplateRow | null> {
  const [row] = await db.$queryRaw<TemplateRow[]>`
    SELECT "id", "projectId", "name", "description", "alias", "subject", "preheader", "body", "text", "from", "fromName", "replyTo", "type", "exemptFromLimits", "topicId", "lastVersion",
      "createdAt", "updatedAt"
    FROM "Template" WHERE ${named(projectId, reference)}`;
  return row ?? null;
}

export async function findDesignedTemplate(
  db: SqlDb,
  projectId: string,
  reference: string,
): Promise<DesignedTemplateRow | null> {
  const [row] = await db.$queryRaw<DesignedTemplateRow[]>`
    SELECT "id", "projectId", "name", "description", "alias", "subject", "preheader", "body", "text", "design", "from", "fromName", "replyTo", "type",
      "exemptFromLimits", "topicId", "lastVersion", "createdAt", "updatedAt",
      (SELECT t."key" FROM "Topic" t WHERE t."id" = "Template"."topicId") AS "topic"
    FROM "Template" WHERE ${named(projectId, reference)}`;
  return row ?? null;
}

/** What the texts of a template name; null until they are read, or when it does not exist. */
export async function textReadsOfTemplate(
  db: Db,
  projectId: string,
  reference: string,
): Promise<string[] | null> {
  const [row] = await db.$queryRaw<{ textReads: string[] | null }[]>`
    SELECT "textReads" FROM "Template" WHERE ${named(projectId, reference)}`;
  return row?.textReads ?? null;
}

export type UnreadTemplate = Pick<
  TemplateRow,
  'id' | 'projectId' | 'updatedAt' | 'subject' | 'preheader' | 'body' | 'text'
>;

export const findUnreadTemplates = (db: Db, limit: number): Promise<UnreadTemplate[]> => db.$queryRaw`
  SELECT "id", "projectId", "updatedAt", "subject", "preheader", "body", "text" FROM "Template" WHERE "textReads" IS NULL LIMIT ${limit}::int`;

/** Of a template that is still what was read. */
export async function writeTextReads(
  db: Db,
  { id, projectId, updatedAt }: Pick<TemplateRow, 'id' | 'projectId' | 'updatedAt'>,
  reads: string[],
): Promise<void> {
  await db.$executeRaw`
    UPDATE "Template" SET "textReads" = ${reads}::text[]
    WHERE "id" = ${id}::uuid AND "projectId" = ${projectId}::uuid AND "textReads" IS NULL AND "updatedAt" = ${updatedAt}::timestamptz`;
}

/** The bytes of storage that the texts of a template use; 0 when it does not exist. */
export async function storedBytesOfTemplate(db: Db, projectId: string, reference: string): Promise<number> {
  const [row] = await db.$queryRaw<{ bytes: number }[]>(
    Prisma.sql`SELECT "storedBytes"::float8 AS "bytes" FROM "Template" WHERE ${named(projectId, reference)}`,
  );
  return row?.bytes ?? 0;
}

/** What the design of a template takes of the storage, if this is its body. */
export async function designBytesOfTemplate(
  db: Db,
  projectId: string,
  { id, body }: { id: string; body: string },
): Promise<number> {
  const [row] = await db.$queryRaw<{ bytes: number }[]>(Prisma.sql`
SELECT coalesce(octet_length("design"::text), 0)::float8 AS "bytes" FROM "Template"
WHERE "id" = ${id}::uuid AND "projectId" = ${projectId}::uuid AND "body" = ${body}`);
  return row?.bytes ?? 0;
}

/** A template of a list: without its design. */
type ListedTemplate = TemplateRow & Pick<DesignedTemplateRow, 'topic'>;

export const findTemplates = async (db: Db, projectId: string, ids: string[]): Promise<ListedTemplate[]> =>
  withTopics(
    db,
    projectId,
    await db.template.findMany({
      where: { id: { in: ids }, projectId },
      omit: { design: true, textReads: true },
    }),
  );

export interface TemplateSearch {
  page: number;
  pageSize: number;
  type?: EmailClass | undefined;
  search?: string | undefined;
  sort: 'name' | 'createdAt' | 'updatedAt';
  dir: 'asc' | 'desc';
}

export async function searchTemplates(
  db: Db,
  projectId: string,
  { page, pageSize, type, search, sort, dir }: TemplateSearch,
): Promise<{ rows: ListedTemplate[]; total: number }> {
  const where: Prisma.TemplateWhereInput = { projectId };
  if (type) where.type = type;
  if (search)
    where.OR = [{ name: contains(search) }, { description: contains(search) }, { subject: contains(search) }];
  const [rows, total] = await Promise.all([
    db.template.findMany({
      where,
      orderBy: [{ [sort]: dir }, { id: dir }],
      skip: (page - 1) * pageSize,
      take: pageSize,
      omit: { design: true, textReads: true },
    }),
    db.template.count({ where }),
  ]);
  return { rows: await withTopics(db, projectId, rows), total };
}

/** Prisma passes the text to LIKE unescaped, where `%`, `_` and `\` are special. */
const contains = (text: string): Prisma.StringFilter => ({
  contains: text.replace(/[\\%_]/g, '\\$&'),
  mode: 'insensitive',
});
