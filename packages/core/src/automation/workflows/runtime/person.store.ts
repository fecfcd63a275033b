import { ofProject, type SqlDb } from '../../../base/db/index.ts';
import type { MemberContact } from './member.ts';

interface PersonRow extends Omit<MemberContact, 'createdAt' | 'updatedAt'> {
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
    SELECT "id", "email", "subscribed", "topicsOn", "topicsOff", "topicDefaults", "data", "createdAt", "updatedAt" FROM "Contact"
    WHERE "id" = ${contactId}::uuid AND ${ofProject('"projectId"', projectId)}`;
  return row
    ? { ...row, createdAt: row.createdAt.toISOString(), updatedAt: row.updatedAt.toISOString() }
    : null;
}
