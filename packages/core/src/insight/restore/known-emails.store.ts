import type { Db } from '../../base/db/index.ts';
import type { KnownEmail } from '../../mail/ledger/index.ts';

/** Emails of these ids in any project. */
export const findEmails = (db: Db, ids: readonly string[]) =>
  db.email.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, sourceType: true, status: true },
  });

/** A page of the emails that a restore made UNCERTAIN, and of which nothing was heard since: all of them were changed at the time of its epoch. */
export const findDoubted = (
  db: Db,
  since: Date,
  after: string | null,
  limit: number,
): Promise<KnownEmail[]> =>
  db.email.findMany({
    where: {
      status: 'UNCERTAIN',
      updatedAt: since,
      batchId: null,
      ...(after !== null && { id: { gt: after } }),
    },
    orderBy: { id: 'asc' },
    take: limit,
    select: { id: true, sourceType: true },
  });

/** How many emails are UNCERTAIN since a restore. */
export const countDoubtedSince = (db: Db, startedAt: Date): Promise<number> =>
  db.email.count({ where: { status: 'UNCERTAIN', updatedAt: startedAt, batchId: null } });
