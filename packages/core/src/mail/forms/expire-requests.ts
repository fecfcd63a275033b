import { writeConsents } from '../../audience/consent/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { countForForms, type ExpiredRequest, expireRequests, tellOfRequests } from './requests.store.ts';

/**
 * Ends requests that nobody has answered within 7 days, with their acts and events, in one transaction.
 *
 * @returns the projects of these requests, and their number
 */
export const expireSubscriptionRequests = (
  { database }: Pick<Services, 'database'>,
  limit: number,
): Promise<{ projectIds: string[]; expired: number }> =>
  database.prisma.$transaction(async (db) => {
    const rows = await expireRequests(db, limit);
    const byProject = Map.groupBy(rows, ({ projectId }) => projectId);
    for (const [projectId, requests] of byProject) {
      // A statement of acts names each contact once.
      for (const each of onePerContact(requests)) {
        await writeConsents(
          db,
          projectId,
          { by: 'mass', actor: 'system', source: 'form', always: true },
          each.map(({ id, contactId, formId, formVersion }) => ({
            contact: contactId,
            kind: 'expire',
            requestId: id,
            source: formId === null ? 'api' : 'form',
            formId,
            formVersion,
          })),
        );
      }
      await tellOfRequests(
        db,
        'contact.subscription.expired',
        projectId,
        requests.map(({ id }) => id),
      );
      await countForForms(
        db,
        projectId,
        requests.map(({ formId }) => formId),
        'expired',
      );
    }
    return { projectIds: [...byProject.keys()], expired: rows.length };
  });

/** The requests in as many parts as a contact has at most. */
function onePerContact(requests: readonly ExpiredRequest[]): ExpiredRequest[][] {
  const parts: ExpiredRequest[][] = [];
  const taken = new Map<string, number>();
  for (const request of requests) {
    const index = taken.get(request.contactId) ?? 0;
    taken.set(request.contactId, index + 1);
    parts[index] ??= [];
    parts[index].push(request);
  }
  return parts;
}
