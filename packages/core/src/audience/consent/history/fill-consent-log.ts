import { retryConflicts } from '../../../base/db/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import { writeConsents } from '../write-consent.store.ts';
import {
  actsOfEvents,
  currentPass,
  type HistoryPage,
  leftWhilePaused,
  makeIndexes,
  pageOfContacts,
  savePass,
  settleContacts,
} from './history.store.ts';

/** For how long one call goes on before it reports. */
const callMs = 10_000;
/** Contacts that change wait for the page that they are in. */
const pageSize = 2_000;

/** Whether something of it can be done now. */
export const hasConsentsToFill = async ({ database }: Pick<Services, 'database'>): Promise<boolean> =>
  (await currentPass(database.prisma)) !== null;

/**
 * Brings contacts from before there was a log into it, and then has the database refuse what has no act (behaviour B12.4): pages of 2,000
 * contacts, each a transaction. A call that is lost is repeated from the last position.
 *
 * @returns whether there is more to do
 */
export async function fillConsentLog(services: Services, forMs = callMs): Promise<boolean> {
  const { prisma } = services.database;
  const endsAt = performance.now() + forMs;
  for (;;) {
    const pass = await currentPass(prisma);
    if (!pass) return false;
    if (pass.part === 'indexes') {
      await makeIndexes(prisma);
      await savePass(prisma, pass.part, null, 0);
    } else if (pass.part === 'history') {
      const { pages, next, count } = await pageOfContacts(prisma, pass.position, pageSize);
      for (const page of pages) await take(services, page);
      await savePass(prisma, pass.part, next, count);
    } else await savePass(prisma, pass.part, null, 0);
    if (performance.now() > endsAt) return true;
  }
}

const take = (services: Services, page: HistoryPage): Promise<void> =>
  retryConflicts(() =>
    services.database.prisma.$transaction(
      async (db) => {
        await actsOfEvents(db, page);
        const left = await leftWhilePaused(db, page);
        await writeConsents(
          db,
          page.projectId,
          { by: 'recipient', source: 'migration', actor: 'system' },
          left.map((contact) => ({ contact, kind: 'state', wanted: false })),
        );
        await settleContacts(db, page);
      },
      { maxWait: 10_000, timeout: 60_000 },
    ),
  );
