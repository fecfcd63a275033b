import { type Database, GroupCommit } from '../../base/db/index.ts';
import { type Services, tooManyWaiting } from '../../base/kernel/index.ts';
import { RecentMap } from '../../base/lib/index.ts';
import { findOrigins, type LinkOrigin } from './links.store.ts';

/** Emails whose links were followed recently. What an email was made from never changes, so it stays valid. */
const mostKnown = 100_000;
/** Contents whose tags are kept once, for all their emails. */
const mostTags = 1_000;

interface Origins {
  known: RecentMap<string, LinkOrigin>;
  tags: RecentMap<string, LinkOrigin['utm']>;
  lookups: GroupCommit<string, LinkOrigin | null>;
}

const byDatabase = new WeakMap<Database, Origins>();

/**
 * What an email was made from; null when it does not exist. Lookups at the same time share a statement. Without the database, known
 * emails are found.
 */
export async function originOf({ database }: Services, emailId: string): Promise<LinkOrigin | null> {
  const { known, tags, lookups } = originsOf(database);
  const recent = known.get(emailId);
  if (recent) return recent;
  const origin = await lookups.add(emailId);
  if (!origin) return null;
  const { contentId, utm } = origin;
  const shared = utm && { ...origin, utm: tags.get(contentId) ?? utm };
  if (shared) tags.set(contentId, shared.utm);
  known.set(emailId, shared ?? origin);
  return origin;
}

function originsOf(database: Database): Origins {
  const existing = byDatabase.get(database);
  if (existing) return existing;
  const origins: Origins = {
    known: new RecentMap(mostKnown),
    tags: new RecentMap(mostTags),
    lookups: new GroupCommit({
      name: 'links',
      perOwner: { count: 10_000, weight: Number.POSITIVE_INFINITY },
      total: { count: 10_000, weight: Number.POSITIVE_INFINITY },
      group: { count: 250, weight: Number.POSITIVE_INFINITY },
      placeOf: () => ({ owner: '', weight: 1, locks: [] }),
      async together(emailIds) {
        const found = await findOrigins(database.grouped, emailIds);
        return emailIds.map((id) => ({ answer: found.get(id) ?? null }));
      },
      overloaded: tooManyWaiting,
    }),
  };
  byDatabase.set(database, origins);
  return origins;
}
