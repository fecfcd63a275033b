import type { Db } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { countDifferences } from '../../base/kernel/metrics.ts';
import { type CampaignCounts, countExpired, countedColumns, countPiece } from '../../mail/ledger/index.ts';
import {
  addToCounters,
  type CampaignRow,
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
    totalRecipients &&
  Object.values(counters.skips).reduce((sum, count) => sum + count, 0) === counters.skippedCount;

/** Whether the counters of a frozen campaign add up to its recipients, or there are none: all its emails are settled, and known. */
export async function countersAddUp(
  { database }: Services,
  { id, totalRecipients }: CampaignRow,
): Promise<boolean> {
  const counters = await readCounters(database.prisma, id);
  return counters === null || addUp(totalRecipients, counters);
}

/**
 * Checks the counters of a campaign without open emails. They change together with its emails, so it is enough that they add
 * up. Only if they do not, the emails are counted by their rows, and the differences are added: what is counted
 * meanwhile stays counted.
 */
export async function checkCounters(services: Services, campaignId: string): Promise<void> {
  const { prisma } = services.database;
  const campaign = await readCampaign(prisma, campaignId);
  if (!campaign?.frozenAt || (await countersAddUp(services, campaign))) return;
  const differences = await findDifferences(services, campaignId);
  countDifferences(Object.keys(differences.counters).length + Object.keys(differences.skips).length);
  services.log.warn({ campaignId, differences }, 'campaign counters corrected');
  await prisma.$transaction((db) => addToCounters(db, campaignId, differences));
}

/**
 * Counts all emails of a campaign in pieces, and reads its counters. Every change of its emails changes the row of the counters, and every removal what
 * was counted of removed ones: if both have stayed the same, so have the emails, and nothing needs a snapshot for minutes, which would slow down all
 * queues. A campaign that changes all the time is counted in one all the same.
 */
async function findDifferences({ database }: Services, campaignId: string): Promise<CampaignCounts> {
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

/** What is missing in the counters of a campaign, by its emails and those that were removed for their age: nothing if they are right. */
export async function differencesOf(db: Db, campaignId: string): Promise<CampaignCounts> {
  const stored = await readCounters(db, campaignId);
  const counters = new Map<string, number>();
  const skips = new Map<string, number>();
  const expired = await countExpired(db, campaignId);
  add(counters, expired.counters);
  add(skips, expired.skips);
  for (let after: Uint8Array<ArrayBuffer> | null = null; ; ) {
    const piece = await countPiece(db, campaignId, after, pieceSize);
    add(counters, piece.counters);
    add(skips, piece.skips);
    if (piece.next === null) break;
    after = piece.next;
  }
  const counted = Object.fromEntries(countedColumns.map((column) => [column, stored?.[column] ?? 0]));
  return { counters: differences(counters, counted), skips: differences(skips, stored?.skips ?? {}) };
}

function add(totals: Map<string, number>, counts: Readonly<Record<string, number>>): void {
  for (const [key, count] of Object.entries(counts)) totals.set(key, (totals.get(key) ?? 0) + count);
}

function differences(
  counted: ReadonlyMap<string, number>,
  stored: Readonly<Record<string, number>>,
): Record<string, number> {
  const keys = [...new Set([...counted.keys(), ...Object.keys(stored)])];
  const all = keys.map((key) => [key, (counted.get(key) ?? 0) - (stored[key] ?? 0)] as const);
  return Object.fromEntries(all.filter(([, difference]) => difference !== 0));
}
