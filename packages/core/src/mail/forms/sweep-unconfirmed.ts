import { eraseContacts } from '../../audience/contacts/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { findUnconfirmedContacts } from './requests.store.ts';

/**
 * Deletes contacts that a request created, that nobody confirmed, and to which nothing else happened, 30 days after the request (behaviour B12.5).
 *
 * @returns how many
 */
export async function sweepUnconfirmed(
  { database, secrets }: Pick<Services, 'database' | 'secrets'>,
  now: Date,
  limit: number,
): Promise<number> {
  const contacts = await findUnconfirmedContacts(database.prisma, now, limit);
  let count = 0;
  for (const [projectId, rows] of Map.groupBy(contacts, (contact) => contact.projectId)) {
    const { found } = await database.prisma.$transaction((db) =>
      eraseContacts(
        db,
        secrets,
        projectId,
        rows.map(({ contactId }) => contactId),
      ),
    );
    count += found.size;
  }
  return count;
}
