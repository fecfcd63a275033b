import { isAccepted } from './email-faults.ts';
import type { Fault } from './fault.ts';
import type { LedgerCampaign, LedgerEmail } from './ledger.store.ts';

/** The contradictions between the counters of a campaign and its emails, with those that were removed for their age. */
export function campaignFaults(campaign: LedgerCampaign, emails: readonly LedgerEmail[]): Fault[] {
  const name = `campaign ${campaign.id}`;
  const rows = countRows(emails);
  const faults: Fault[] = Object.entries(rows).flatMap(([counter, ofRows]) => {
    const said = campaign[counter as keyof typeof rows];
    const value = ofRows + (campaign.expired[expiredBy[counter] ?? counter] ?? 0);
    return said === value
      ? []
      : [{ kind: 'counters', text: `${name} says ${counter} = ${said}, its rows say ${value}` }];
  });
  const { totalRecipients, sentCount, failedCount, skippedCount, uncertainCount } = campaign;
  if (totalRecipients !== sentCount + failedCount + skippedCount + uncertainCount) {
    faults.push({
      kind: 'counters',
      text:
        `${name} does not close: ${totalRecipients} recipients, but ${sentCount} sent + ${failedCount} failed + ` +
        `${skippedCount} skipped + ${uncertainCount} uncertain`,
    });
  }
  if (campaign.status !== 'SENT' && campaign.status !== 'CANCELLED')
    faults.push({ kind: 'stranded', text: `${name} is ${campaign.status}` });
  const addresses = new Set(emails.map(({ to }) => to));
  if (addresses.size !== emails.length)
    faults.push({ kind: 'doubled', text: `${name} has two emails to one address` });
  return faults;
}

/** What has another name among the removed ones. */
const expiredBy: Readonly<Record<string, string>> = { totalRecipients: 'emails', skips: 'skippedCount' };

function countRows(emails: readonly LedgerEmail[]) {
  const count = (test: (email: LedgerEmail) => boolean): number => emails.filter(test).length;
  return {
    totalRecipients: emails.length,
    sentCount: count(isAccepted),
    failedCount: count(({ status }) => status === 'FAILED'),
    skippedCount: count(({ status }) => status === 'SKIPPED'),
    uncertainCount: count(({ status }) => status === 'UNCERTAIN'),
    skips: count(({ status }) => status === 'SKIPPED'),
    bouncedCount: count(({ bouncedAt }) => bouncedAt !== null),
  };
}
