import { isDeepStrictEqual } from 'node:util';
import { type Db, Prisma } from '../../../base/db/index.ts';
import type { Actor } from '../../../base/kernel/index.ts';
import { newId } from '../../../base/lib/index.ts';
import type { Design } from '../design.schema.ts';
import { type EmailContent, type TemplateField, templateFields } from '../email-content.schema.ts';
import { keptVersions } from './versions.schema.ts';

type VersionedField = TemplateField | 'design';

/** What a version holds of a template: the texts that emails are rendered from, and the design that the body was made from. */
export const versionedFields = [...(Object.keys(templateFields) as TemplateField[]), 'design'] as const;

export interface VersionedContent extends Pick<EmailContent, TemplateField> {
  design: Design | null;
}

export const versionedContentOf = (content: VersionedContent): VersionedContent =>
  Object.fromEntries(versionedFields.map((field) => [field, content[field]])) as unknown as VersionedContent;

/** The fields in which two contents differ. */
export const changedFields = (one: VersionedContent, other: VersionedContent): VersionedField[] =>
  versionedFields.filter((field) => !isDeepStrictEqual(one[field], other[field]));

/** A design as the value of a JSON column, in which a missing design is SQL's NULL. */
export const jsonOf = (design: Design | null) => (design as Prisma.InputJsonObject | null) ?? Prisma.DbNull;

interface NumberedTemplate {
  templateId: string;
  projectId: string;
  number: number;
}

/**
 * Stores what a template holds as the version `number`, its `lastVersion`, and removes the oldest beyond those that are kept. PostgreSQL copies
 * the content, which can be megabytes.
 */
export async function insertVersion(
  db: Db,
  actor: Actor,
  { templateId, projectId, number }: NumberedTemplate,
): Promise<void> {
  const named = actor.type === 'key' ? actor.named : undefined;
  const authorId = actor.type === 'user' ? actor.userId : (named?.id ?? null);
  await db.$executeRaw`
    INSERT INTO "TemplateVersion" ("id", "templateId", "projectId", "number", "subject", "preheader", "body", "text", "design", "authorType", "authorId", "keyName")
    SELECT ${newId()}::uuid, "id", "projectId", "lastVersion", "subject", "preheader", "body", "text", "design", ${actor.type}, ${authorId}::uuid, ${named?.name ?? null}
    FROM "Template" WHERE "id" = ${templateId}::uuid AND "projectId" = ${projectId}::uuid`;
  if (number <= keptVersions) return;
  await db.templateVersion.deleteMany({
    where: { templateId, projectId, number: { lte: number - keptVersions } },
  });
}

interface Author {
  authorType: string | null;
  authorId: string | null;
  keyName: string | null;
  authorEmail: string | null;
}

export interface ListedVersionRow extends Author {
  id: string;
  templateId: string;
  number: number;
  subject: string;
  preheader: string | null;
  createdAt: Date;
}

export interface VersionRow extends ListedVersionRow, VersionedContent {}

const listedColumns = Prisma.sql`v."id", v."templateId"::text, v."number", v."subject", v."preheader", v."authorType", v."authorId"::text, v."keyName",
  u."email" AS "authorEmail", v."createdAt"`;
const joined = Prisma.sql`"TemplateVersion" v LEFT JOIN "User" u ON v."authorType" = 'user' AND u."id" = v."authorId"`;

/** One keyset page, newest first, without the bodies. `before`: the number of the last version of the page before. */
export const findVersions = (
  db: Db,
  { projectId, templateId }: { projectId: string; templateId: string },
  before: number | null,
  limit: number,
): Promise<ListedVersionRow[]> =>
  db.$queryRaw<ListedVersionRow[]>(Prisma.sql`
SELECT ${listedColumns} FROM ${joined}
WHERE v."projectId" = ${projectId}::uuid AND v."templateId" = ${templateId}::uuid
  ${before === null ? Prisma.empty : Prisma.sql`AND v."number" < ${before}`}
ORDER BY v."number" DESC LIMIT ${limit}`);

export const countVersions = (db: Db, projectId: string, templateId: string): Promise<number> =>
  db.templateVersion.count({ where: { projectId, templateId } });

/** The bytes of storage that a version uses; 0 when it does not exist. */
export async function storedBytesOfVersion(
  db: Db,
  { projectId, id, number }: { projectId: string; id: string; number: number },
): Promise<number> {
  const [row] = await db.$queryRaw<{ bytes: number }[]>(Prisma.sql`
SELECT "storedBytes"::float8 AS "bytes" FROM "TemplateVersion"
WHERE "projectId" = ${projectId}::uuid AND "templateId" = ${id}::uuid AND "number" = ${number}`);
  return row?.bytes ?? 0;
}

export async function findVersion(
  db: Db,
  { projectId, templateId, number }: { projectId: string; templateId: string; number: number },
): Promise<VersionRow | null> {
  const [row] = await db.$queryRaw<VersionRow[]>(Prisma.sql`
SELECT ${listedColumns}, v."body", v."text", v."design" FROM ${joined}
WHERE v."projectId" = ${projectId}::uuid AND v."templateId" = ${templateId}::uuid AND v."number" = ${number}`);
  return row ?? null;
}
