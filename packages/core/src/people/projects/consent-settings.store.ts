import type { SqlDb } from '../../base/db/index.ts';
import { type ConsentSettings, consentSettingsOf } from './consent-settings.schema.ts';

export async function findConsentSettings(db: SqlDb, projectId: string): Promise<ConsentSettings> {
  const [row] = await db.$queryRaw<{ consent: unknown }[]>`
    SELECT "consent" FROM "Project" WHERE "id" = ${projectId}::uuid`;
  return consentSettingsOf(row?.consent ?? null);
}

/** The same; the row stays locked. `db` must be a transaction. */
export async function lockConsentSettings(db: SqlDb, projectId: string): Promise<ConsentSettings> {
  const [row] = await db.$queryRaw<{ consent: unknown }[]>`
    SELECT "consent" FROM "Project" WHERE "id" = ${projectId}::uuid FOR UPDATE`;
  return consentSettingsOf(row?.consent ?? null);
}

export async function saveConsentSettings(
  db: SqlDb,
  projectId: string,
  settings: ConsentSettings,
): Promise<void> {
  await db.$executeRaw`
    UPDATE "Project" SET "consent" = ${JSON.stringify(settings)}::jsonb, "updatedAt" = now() WHERE "id" = ${projectId}::uuid`;
}

/** The first of the forms that are open. */
export const findOpenForms = (db: SqlDb, projectId: string): Promise<{ id: string; name: string }[]> =>
  db.$queryRaw`
    SELECT "id", "name" FROM "Form" WHERE "projectId" = ${projectId}::uuid AND "enabled" AND "deletedAt" IS NULL
    ORDER BY "name", "id" LIMIT 10`;

export interface AskingTemplate {
  type: string;
  subject: string;
  preheader: string | null;
  body: string;
  text: string | null;
}

/** A template that may ask for confirmations. */
export async function findAskingTemplate(
  db: SqlDb,
  projectId: string,
  templateId: string,
): Promise<AskingTemplate | null> {
  const [row] = await db.$queryRaw<AskingTemplate[]>`
    SELECT "type"::text, "subject", "preheader", "body", "text" FROM "Template"
    WHERE "id" = ${templateId}::uuid AND "projectId" = ${projectId}::uuid`;
  return row ?? null;
}
