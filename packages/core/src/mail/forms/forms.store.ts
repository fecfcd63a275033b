import type { TopicRow } from '../../audience/topics/index.ts';
import type { Texts } from '../../audience/topics/topics.rules.ts';
import { constant, ofProject, Prisma, type SqlDb } from '../../base/db/index.ts';
import type { Keyset } from '../../base/kernel/index.ts';
import type { MailLanguage } from '../../base/lib/index.ts';
import { unconfirmedNotice } from './forms.rules.ts';
import type { FormField } from './forms.schema.ts';

/** What visitors of a form see: each change of it is a version. */
export interface FormContent {
  title: Texts;
  text: Texts | null;
  consentText: Texts;
  button: Texts | null;
  fields: FormField[];
  /** numbers of topics */
  topics: number[];
  language: MailLanguage;
}

/** A form as it is stored. */
export interface FormRow extends FormContent {
  id: string;
  projectId: string;
  name: string;
  enabled: boolean;
  version: number;
  redirectUrl: string | null;
  confirmedUrl: string | null;
  origins: string[];
  guardedUntil: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

const columns = constant(
  `f."id"::text AS "id", f."projectId"::text AS "projectId", f."name", f."enabled", f."version", f."title", f."text", f."consentText", f."button", f."fields",
  f."topics", f."language", f."redirectUrl", f."confirmedUrl", f."origins", f."guardedUntil", f."createdAt", f."updatedAt"`,
);

/** What visitors see of a form, as it is compared and kept. */
export const contentOfForm = (form: FormContent): FormContent => ({
  title: form.title,
  text: form.text,
  consentText: form.consentText,
  button: form.button,
  fields: form.fields,
  topics: form.topics,
  language: form.language,
});

export const topicKeysOf = (topics: readonly TopicRow[], numbers: readonly number[]): string[] =>
  numbers.flatMap((number) => topics.find((topic) => topic.number === number)?.key ?? []);

/** One page of forms, newest first. */
export const pageOfForms = (
  db: SqlDb,
  projectId: string,
  { after, take }: { after: Keyset | null; take: number },
): Promise<FormRow[]> => db.$queryRaw`
  SELECT ${columns} FROM "Form" f WHERE f."projectId" = ${projectId}::uuid AND f."deletedAt" IS NULL
    ${after ? Prisma.sql`AND (f."createdAt", f."id") < (${new Date(after.value)}::timestamptz, ${after.id}::uuid)` : Prisma.empty}
  ORDER BY f."createdAt" DESC, f."id" DESC LIMIT ${take}::int`;

export async function countForms(db: SqlDb, projectId: string): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS "count" FROM "Form" WHERE "projectId" = ${projectId}::uuid AND "deletedAt" IS NULL`;
  return row?.count ?? 0;
}

export async function findForm(
  db: SqlDb,
  projectId: string,
  id: string,
  lock?: 'change',
): Promise<FormRow | null> {
  const [row] = await db.$queryRaw<FormRow[]>`
    SELECT ${columns} FROM "Form" f WHERE f."id" = ${id}::uuid AND ${ofProject('f."projectId"', projectId)} AND f."deletedAt" IS NULL
    ${lock ? Prisma.sql`FOR UPDATE` : Prisma.empty}`;
  return row ?? null;
}

/** Forms of a project are created one at a time, so that their number comes out right. */
export const lockForms = (db: SqlDb, projectId: string): Promise<unknown> =>
  db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`forms/${projectId}`}, 0))`;

export type NewFormRow = Omit<FormRow, 'version' | 'guardedUntil' | 'createdAt' | 'updatedAt'>;

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** Stores a form with its first version. */
export async function insertForm(db: SqlDb, form: NewFormRow): Promise<FormRow> {
  const [row] = await db.$queryRaw<FormRow[]>`
    INSERT INTO "Form" AS f ("id", "projectId", "name", "enabled", "title", "text", "consentText", "button", "fields", "topics", "language",
      "redirectUrl", "confirmedUrl", "origins")
    VALUES (${form.id}::uuid, ${form.projectId}::uuid, ${form.name}, ${form.enabled}, ${json(form.title)}::jsonb, ${json(form.text)}::jsonb,
      ${json(form.consentText)}::jsonb, ${json(form.button)}::jsonb, ${json(form.fields)}::jsonb, ${form.topics}::smallint[], ${form.language},
      ${form.redirectUrl}, ${form.confirmedUrl}, ${form.origins}::text[])
    RETURNING ${columns}`;
  if (!row) throw new Error('storing a form gave no row');
  await insertVersion(db, row);
  return row;
}

/** Stores a changed form, with a version of what visitors see if `isNew`. */
export async function changeForm(db: SqlDb, form: FormRow, isNew: boolean): Promise<FormRow> {
  const [row] = await db.$queryRaw<FormRow[]>`
    UPDATE "Form" f SET "name" = ${form.name}, "enabled" = ${form.enabled}, "title" = ${json(form.title)}::jsonb, "text" = ${json(form.text)}::jsonb,
      "consentText" = ${json(form.consentText)}::jsonb, "button" = ${json(form.button)}::jsonb, "fields" = ${json(form.fields)}::jsonb,
      "topics" = ${form.topics}::smallint[], "language" = ${form.language}, "redirectUrl" = ${form.redirectUrl}, "confirmedUrl" = ${form.confirmedUrl},
      "origins" = ${form.origins}::text[], "version" = f."version" + ${isNew ? 1 : 0}, "updatedAt" = now()
    WHERE f."id" = ${form.id}::uuid AND ${ofProject('f."projectId"', form.projectId)} RETURNING ${columns}`;
  if (!row) throw new Error('changing a form gave no row');
  if (isNew) await insertVersion(db, row);
  return row;
}

async function insertVersion(db: SqlDb, form: FormRow): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "FormVersion" ("formId", "version", "projectId", "name", "content")
    VALUES (${form.id}::uuid, ${form.version}::int, ${form.projectId}::uuid, ${form.name}, ${JSON.stringify(contentOfForm(form))}::jsonb)`;
}

/** Its row stays: acts of people name its versions. */
export async function markFormDeleted(db: SqlDb, projectId: string, id: string): Promise<void> {
  await db.$executeRaw`
    UPDATE "Form" SET "deletedAt" = now(), "enabled" = false, "updatedAt" = now()
    WHERE "id" = ${id}::uuid AND ${ofProject('"projectId"', projectId)}`;
}

/** A form as its public paths need it. */
export interface PublicForm extends FormRow {
  deleted: boolean;
  project: {
    name: string;
    language: string;
    brand: unknown;
    consent: unknown;
    timeZone: string;
    definesFields: boolean;
    /** neither disabled nor deleted */
    open: boolean;
  };
  /** those that it offers: public ones that are not archived */
  offered: { key: string; number: number; name: Texts; description: Texts | null }[];
}

/** A form by its id alone, which is all that a visitor has; null for an unknown one. */
export async function findPublicForm(db: SqlDb, id: string): Promise<PublicForm | null> {
  const [row] = await db.$queryRaw<PublicForm[]>`
    SELECT ${columns}, f."deletedAt" IS NOT NULL AS "deleted",
      jsonb_build_object('name', p."name", 'language', p."language", 'brand', p."brand", 'consent', p."consent", 'timeZone', p."timezone",
        'definesFields', p."definesFields", 'open', p."deletedAt" IS NULL AND NOT p."disabled") AS "project",
      coalesce((
        SELECT jsonb_agg(jsonb_build_object('key', t."key", 'number', t."number", 'name', t."name", 'description', t."description") ORDER BY t."position", t."number")
        FROM "Topic" t WHERE t."projectId" = f."projectId" AND t."number" = ANY(f."topics") AND t."visibility" = 'PUBLIC' AND NOT t."archived"
          AND t."deletedAt" IS NULL), '[]') AS "offered"
    FROM "Form" f JOIN "Project" p ON p."id" = f."projectId" WHERE f."id" = ${id}::uuid`;
  return row ?? null;
}

export interface FormTroubles {
  /** forms that ask for work at present */
  guarded: number;
  /** the owners were told within a day that no more requests are taken */
  limited: boolean;
}

/** What of its forms the people of a project should look at. */
export async function findFormTroubles(db: SqlDb, projectId: string): Promise<FormTroubles> {
  const [row] = await db.$queryRaw<FormTroubles[]>`
    SELECT (
      SELECT count(*)::int FROM "Form" f
      WHERE f."projectId" = ${projectId}::uuid AND f."deletedAt" IS NULL AND f."enabled" AND f."guardedUntil" > now()) AS "guarded",
      EXISTS (
        SELECT FROM "PublicAttempt" a
        WHERE a."projectId" = ${projectId}::uuid AND a."scope" = ${unconfirmedNotice} AND a."expiresAt" > now()) AS "limited"`;
  return row ?? { guarded: 0, limited: false };
}
