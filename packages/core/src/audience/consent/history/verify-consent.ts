import type { Services } from '../../../base/kernel/index.ts';
import { type Difference, type Place, rebuildContacts, verifyPage } from './verify.store.ts';

const pageSize = 5_000;

/**
 * Compares every contact of a project with what its acts say (behaviour B12.4), 5,000 per statement.
 *
 * @yields the contacts that differ
 */
export async function* verifyConsent(
  { database: { prisma } }: Pick<Services, 'database'>,
  projectId: string,
): AsyncGenerator<Difference> {
  for (let after: Place | null = null; ; ) {
    const { count, last, differences } = await verifyPage(prisma, projectId, after, pageSize);
    yield* differences;
    if (count < pageSize || last === null) return;
    after = last;
  }
}

/** Writes what the acts of contacts say into the rows that differ. @returns the ids of these contacts */
export async function rebuildConsent(
  services: Pick<Services, 'database'>,
  projectId: string,
): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of verifyConsent(services, projectId)) ids.push(id);
  for (let from = 0; from < ids.length; from += pageSize)
    await services.database.prisma.$transaction((db) =>
      rebuildContacts(db, projectId, ids.slice(from, from + pageSize)),
    );
  return ids;
}
