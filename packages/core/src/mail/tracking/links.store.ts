import type { Pool } from 'pg';
import { Prisma, prepared } from '../../base/db/index.ts';
import type { LinkTags } from '../message/link-tags.rules.ts';

/** What the links of an email lead to. */
export interface LinkOrigin {
  projectId: string;
  contentId: string;
  /** the tags of its links; null without */
  utm: LinkTags | null;
}

const origins = prepared<{ emailIds: readonly string[] }>(
  'origins-of-links',
  ({ emailIds }) => Prisma.sql`
    SELECT e."id", e."projectId", e."contentId", (SELECT c."utm" FROM "Content" c WHERE c."id" = e."contentId") AS "utm"
    FROM "Email" e WHERE e."id" = ANY (${emailIds}::uuid[])`,
);

/** The origins of those emails that exist, by id. */
export async function findOrigins(pool: Pool, emailIds: readonly string[]): Promise<Map<string, LinkOrigin>> {
  const { rows } = await pool.query<LinkOrigin & { id: string }>(origins({ emailIds: [...emailIds] }));
  return new Map(rows.map(({ id, projectId, contentId, utm }) => [id, { projectId, contentId, utm }]));
}

const blocked = prepared<Record<never, never>>(
  'blocked-links',
  () => Prisma.sql`
    SELECT "id", "language", "deletedAt" IS NOT NULL AS "deleted" FROM "Project"
    WHERE "disabledReason" = 'PHISHING_DETECTED' AND "disabled" OR "deletedAt" IS NOT NULL`,
);

/** A project whose links lead nowhere: disabled as PHISHING_DETECTED, or deleted and not yet removed. */
export interface BlockedProject {
  language: string;
  deleted: boolean;
}

/** The projects whose links are blocked, by id. */
export async function findBlockedProjects(pool: Pool): Promise<Map<string, BlockedProject>> {
  const { rows } = await pool.query<BlockedProject & { id: string }>(blocked({}));
  return new Map(rows.map(({ id, language, deleted }) => [id, { language, deleted }]));
}
