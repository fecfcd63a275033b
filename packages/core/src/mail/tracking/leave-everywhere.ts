import { clientOf, hashedAddress } from '../../audience/consent/index.ts';
import { type AttemptLimit, takeAttempts } from '../../base/attempts/index.ts';
import { plainTransaction, retryConflicts } from '../../base/db/index.ts';
import type { RequestInfo, Services } from '../../base/kernel/index.ts';
import { findProjectsOf, optOutOf } from './lost-subscriptions.store.ts';
import { changePreferencesOf } from './preferences.store.ts';

/** Projects that are read at once. */
const pageSize = 500;

/** A reader has few addresses; with the link of another person few subscriptions can be ended. */
const addressesOf = (contactId: string): AttemptLimit => ({
  scope: 'lost_subscriptions',
  key: contactId.replaceAll('-', ''),
  project: null,
  most: 5,
  seconds: 86_400,
});

/**
 * Ends the subscriptions of an address in every project of the installation: the link of a contact that a restore has lost does not
 * tell which project it was of (behaviour B11.6). Where it is no contact, its opt-out is kept for when it becomes one again.
 *
 * @returns false when the link has been used for too many addresses
 */
export async function leaveEverywhere(
  services: Services,
  request: RequestInfo,
  { contactId, address }: { contactId: string; address: string },
): Promise<boolean> {
  const { asyncCommit, durable } = services.database;
  const { over } = await plainTransaction(asyncCommit, (db) => takeAttempts(db, [addressesOf(contactId)]));
  if (over !== null) return false;
  const hashOf = (projectId: string): string => hashedAddress(services.secrets, projectId, address);
  for (let after: string | null = null; ; ) {
    const page = await findProjectsOf(durable, address, after, pageSize);
    const unknown = page.filter((each) => each.contactId === null);
    await optOutOf(
      durable,
      unknown.map(({ projectId }) => ({ projectId, hash: hashOf(projectId) })),
    );
    for (const { projectId, contactId: contact } of page) {
      if (contact === null) continue;
      await retryConflicts(() =>
        changePreferencesOf(durable, {
          projectId,
          emailId: null,
          endsTopic: false,
          saying: {
            ...{ by: 'recipient', actor: 'recipient', source: 'page', always: true, reason: 'page' },
            ...clientOf(request),
          },
          statement: { contact, kind: 'state', wanted: false, optOut: hashOf(projectId) },
        }),
      );
    }
    const last = page.at(-1);
    if (!last || page.length < pageSize) return true;
    after = last.projectId;
  }
}
