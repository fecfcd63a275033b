import { contactConsent } from '../../../audience/consent/index.ts';
import { ofProject, type SqlDb } from '../../../base/db/index.ts';
import type { MemberContact } from './member.ts';

interface PersonRow extends Omit<MemberContact, 'consentedAt' | 'createdAt' | 'updatedAt'> {
  consentedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** The contact of a test run. */
export async function readPerson(
  db: SqlDb,
  projectId: string,
  contactId: string,
): Promise<MemberContact | null> {
  const [row] = await db.$queryRaw<PersonRow[]>`
    SELECT c."id", c."email", c."subscribed", c."topicsOn", c."topicsOff", c."topicDefaults", ${contactConsent}, c."data", c."createdAt", c."updatedAt"
    FROM "Contact" c WHERE c."id" = ${contactId}::uuid AND ${ofProject('c."projectId"', projectId)}`;
  return row
    ? {
        ...row,
        consentedAt: row.consentedAt?.toISOString() ?? null,
        createdAt: row.createdAt.toISOString(),
        updatedAt: row.updatedAt.toISOString(),
      }
    : null;
}
