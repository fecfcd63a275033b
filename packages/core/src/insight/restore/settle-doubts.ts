import { reopenCampaigns } from '../../automation/campaigns/index.ts';
import { byKeys, clientTransaction, plainDb } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { type KnownEmail, settleKnown } from '../../mail/ledger/index.ts';
import { readEpoch } from '../../people/installation/index.ts';
import { countDoubtedSince, findDoubted, findEmails } from './known-emails.store.ts';

type Needed = Pick<Services, 'database' | 'config'>;

/** As many as a delivery batch can have. */
const emailsAtOnce = 500;

export interface ProvedEmails {
  /** that were UNCERTAIN, and are SENT now */
  sent: number;
  /** ids that no email has: they were accepted after the data was saved */
  unknown: string[];
}

/** Emails with these ids were handed over, by the log of the mail server. */
export async function proveSent(services: Needed, ids: readonly string[]): Promise<ProvedEmails> {
  const proved: ProvedEmails = { sent: 0, unknown: [] };
  for (let at = 0; at < ids.length; at += emailsAtOnce) {
    const part = ids.slice(at, at + emailsAtOnce);
    const found = await findEmails(services.database.prisma, part);
    const known = new Set(found.map(({ id }) => id));
    proved.unknown.push(...part.filter((id) => !known.has(id)));
    const doubted = found.filter(({ status }) => status === 'UNCERTAIN');
    if (doubted.length > 0) proved.sent += await settle(services, doubted, 'sent');
  }
  return proved;
}

/**
 * Has all emails wait again that the last restore made UNCERTAIN and that are UNCERTAIN still: none of them was handed over. Those of cancelled
 * campaigns and of contacts that are gone are skipped.
 *
 * @returns how many
 */
export async function sendRest(services: Needed): Promise<number> {
  const { database } = services;
  const epoch = await readEpoch(database);
  let count = 0;
  for (let after: string | null = null; epoch; ) {
    const emails: KnownEmail[] = await findDoubted(database.prisma, epoch.startedAt, after, emailsAtOnce);
    if (emails.length === 0) break;
    count += await settle(services, emails, 'giveback');
    after = emails.at(-1)?.id ?? null;
  }
  return count;
}

/** How many are still UNCERTAIN by the last restore. */
export async function countDoubted({ database }: Needed): Promise<number> {
  const epoch = await readEpoch(database);
  return epoch ? countDoubtedSince(database.prisma, epoch.startedAt) : 0;
}

const settle = (
  { database, config }: Needed,
  emails: readonly KnownEmail[],
  outcome: 'sent' | 'giveback',
): Promise<number> =>
  clientTransaction(
    database.durable,
    async (client) => {
      const written = await settleKnown(client, emails, outcome, config.sandboxFrom);
      if (outcome === 'giveback') await reopenCampaigns(plainDb(client), written.campaigns);
      return written.emails;
    },
    byKeys,
  );
