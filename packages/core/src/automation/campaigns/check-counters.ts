import type { Db } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { type CountedColumn, countedColumns, countPiece } from '../../mail/ledger/index.ts';
import {
  addToCounters,
  type CounterRow,
  countersVersion,
  readCampaign,
  readCounters,
} from './campaigns.store.ts';

/** Emails counted by one statement. */
const pieceSize = 20_000;
const timeoutMs = 40 * 60_000;
/** How often the emails are counted without a snapshot. */
const attempts = 5;

/** Whether counters of a campaign without open emails add up (B4.7). */
const addUp = (totalRecipients: number, counters: CounterRow): boolean =>
  counters.sentCount + counters.failedCount + counters.skippedCount + counters.uncertainCount ===
  totalRecipients;

/**
 * Checks the counters of a campaign without open emails. They change together with its emails, so it is enough that they add
 * up. Only if they do not, the emails are counted by their rows, and the differences are added: what is counted
 * meanwhile stays counted.
 */
export async function checkCounters(services: Services, campaignId: string): Promise<void> {
  const { prisma } = services.database;
  const [campaign, counters] = await Promise.all([
    readCampaign(prisma, campaignId),
    readCounters(prisma, campaignId),
  ]);
  if (!campaign?.frozenAt || !counters || addUp(campaign.totalRecipients, counters)) return;
  const differences = await findDifferences(services, campaignId);
  services.log.warn({ campaignId, differences }, 'campaign counters corrected');
  await addToCounters(prisma, campaignId, differences);
}

/**
 * Counts all emails of a campaign in pieces, and reads its counters. Every change of its emails changes the row of the counters: if that has
 * stayed the same, so have the emails, and nothing needs a snapshot for minutes, which would slow down all queues. A campaign that changes
 * all the time is counted in one all the same.
 */
async function findDifferences(
  { database }: Services,
  campaignId: string,
): Promise<Partial<Record<CountedColumn, number>>> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const version = await countersVersion(database.prisma, campaignId);
    const differences = await differencesOf(database.prisma, campaignId);
    if ((await countersVersion(database.prisma, campaignId)) === version) return differences;
  }
  return database.prisma.$transaction((db) => differencesOf(db, campaignId), {
    isolationLevel: 'RepeatableRead',
    timeout: timeoutMs,
    maxWait: 30_000,
  });
}

async function differencesOf(db: Db, campaignId: string): Promise<Partial<Record<CountedColumn, number>>> {
  const counters = await readCounters(db, campaignId);
  const counted = new Map<CountedColumn, number>();
  for (let after: Uint8Array<ArrayBuffer> | null = null; ; ) {
    const { counts, next } = await countPiece(db, campaignId, after, pieceSize);
    for (const column of countedColumns) counted.set(column, (counted.get(column) ?? 0) + counts[column]);
    if (next === null) break;
    after = next;
  }
  const differences = countedColumns.map(
    (column) => [column, (counted.get(column) ?? 0) - (counters?.[column] ?? 0)] as const,
  );
  return Object.fromEntries(differences.filter(([, difference]) => difference !== 0));
}
