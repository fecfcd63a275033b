import type { Services } from '../../base/kernel/index.ts';
import { notVerifiedText } from './domains.rules.ts';
import { endLocalVerification, failWaitingMail, findLocalDomains, verifyLocally } from './domains.store.ts';

const domainsAtOnce = 100;
const batchesAtOnce = 1_000;

/**
 * Brings domains in line with the mail server of this start (behaviour B15.9). With the local mailbox every domain is VERIFIED. With any other,
 * those that only the mailbox has verified are PENDING, and their waiting email is FAILED; what is claimed before, or is of a campaign, fails at
 * the claim.
 */
export async function settleLocalDomains({ config, database, log }: Services): Promise<void> {
  const { prisma } = database;
  if (config.mailboxUrl !== null) {
    await verifyLocally(prisma);
    return;
  }
  let last: string | null = null;
  for (;;) {
    const ids: string[] = await findLocalDomains(prisma, last, domainsAtOnce);
    if (ids.length === 0) return;
    await endLocalVerification(prisma, ids);
    for (const id of ids)
      while ((await failWaitingMail(prisma, id, batchesAtOnce, notVerifiedText)) === batchesAtOnce);
    log.warn(
      { domains: ids.length },
      'domains that only the local mailbox had verified need their DNS records now',
    );
    last = ids.at(-1) ?? null;
  }
}
