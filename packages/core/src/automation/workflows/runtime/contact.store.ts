import {
  type ContactChange,
  contactUpsertCtes,
  contactUpsertInput,
} from '../../../audience/contacts/index.ts';
import type { SqlDb } from '../../../base/db/index.ts';
import type { Secrets } from '../../../base/kernel/index.ts';
import type { LockedExecution } from './execution.store.ts';

/**
 * Merges data into the contact of an execution like any other change, with its events.
 *
 * @returns null when the contact was deleted
 * @throws an error that `refusalOf` maps to `data_too_large`
 */
export async function updateContact(
  db: SqlDb,
  secrets: Secrets,
  { projectId, contactId }: LockedExecution,
  change: Omit<ContactChange, 'email'>,
): Promise<{ flipped: boolean } | null> {
  // Locked first: an upsert by address would recreate a contact that was deleted concurrently.
  const [contact] = await db.$queryRaw<{ email: string }[]>`
    SELECT "email" FROM "Contact" WHERE "id" = ${contactId}::uuid AND "projectId" = ${projectId}::uuid FOR NO KEY UPDATE`;
  if (!contact) return null;
  const changes = contactUpsertInput(secrets, projectId, [{ ...change, email: contact.email }]);
  const [row] = await db.$queryRaw<{ flipped: boolean }[]>`
    WITH ${contactUpsertCtes({ project: projectId, changes, defaultSubscribed: true }, 'workflow')}
    SELECT "flipped" FROM "contact"`;
  return row ?? null;
}
