import type { SinkMessage } from '@postrider/local/sink';
import type { Pool } from 'pg';
import { type Ledger, type LedgerCampaign, type LedgerEmail, readLedger } from './ledger.store.ts';

export interface UncertainEmail {
  id: string;
  to: string;
  error: string | null;
  atSink: boolean;
}

export interface LedgerReport {
  emails: number;
  atSink: number;
  byStatus: Record<string, number>;
  /** every email with the status UNCERTAIN */
  uncertain: UncertainEmail[];
  /** one sentence per contradiction; empty means that no email was lost or sent twice */
  problems: string[];
}

/** Reads both sides and compares them row by row. Call it when no email is being sent any more. */
export async function compareLedgerWithSink(
  db: Pool,
  sink: { messages(): Promise<SinkMessage[]> },
): Promise<LedgerReport> {
  const [ledger, messages] = [await readLedger(db), await sink.messages()];
  return compare(ledger, messages);
}

/** The comparison itself, without I/O. */
export function compare(ledger: Ledger, messages: SinkMessage[]): LedgerReport {
  const received = countByEmail(messages);
  const known = new Set(ledger.emails.map(({ id }) => id));
  const problems = [
    ...messages.filter(({ emailId }) => !known.has(emailId)).map(unknownMessage),
    ...wrongRecipients(ledger, messages),
    ...ledger.emails.flatMap((email) => problemsOf(email, received.get(email.id) ?? 0)),
    ...ledger.campaigns.flatMap((campaign) => countersOf(campaign, ledger.emails)),
    ...(ledger.orphans > 0 ? [`${ledger.orphans} Delivery rows belong to no email`] : []),
  ];
  const uncertain = ledger.emails
    .filter(({ status }) => status === 'UNCERTAIN')
    .map(({ id, to, error }) => ({ id, to, error, atSink: (received.get(id) ?? 0) > 0 }));
  return {
    emails: ledger.emails.length,
    atSink: messages.length,
    byStatus: tally(ledger.emails),
    uncertain,
    problems,
  };
}

/** Statuses of an email that the server accepted; those after SENT result from later events. */
const accepted = new Set(['SENT', 'DELIVERED', 'OPENED', 'CLICKED', 'BOUNCED', 'COMPLAINED']);

function problemsOf(email: LedgerEmail, received: number): string[] {
  const { status, error, sentAt, open, told, autoResent } = email;
  const name = `email ${email.id} to ${email.to}`;
  const problems: string[] = [];
  const most = autoResent ? 2 : 1;
  if (received > most) problems.push(`${name} is ${status} and reached the sink ${received} times`);
  if (accepted.has(status)) {
    if (received === 0) problems.push(`${name} is ${status} and never reached the sink`);
    if (sentAt === null) problems.push(`${name} is ${status} without sentAt`);
    if (told !== 1) problems.push(`${name} is ${status} with ${told} email.sent events`);
  } else {
    if (told !== 0) problems.push(`${name} is ${status} with ${told} email.sent events`);
    if (status === 'UNCERTAIN') {
      if (!error) problems.push(`${name} is UNCERTAIN without a text that says why`);
    } else if (status === 'FAILED' || status === 'SKIPPED') {
      if (received > 0) problems.push(`${name} is ${status} and reached the sink`);
      if (status === 'FAILED' && !error) problems.push(`${name} is FAILED without a text that says why`);
    } else
      problems.push(`${name} has no final state: ${status}${received > 0 ? ', and is at the sink' : ''}`);
  }
  if (open) problems.push(`${name} is ${status} and still has a Delivery row`);
  return problems;
}

function countersOf(campaign: LedgerCampaign, emails: LedgerEmail[]): string[] {
  const mine = emails.filter(({ campaignId }) => campaignId === campaign.id);
  const count = (test: (email: LedgerEmail) => boolean): number => mine.filter(test).length;
  const rows = {
    totalRecipients: mine.length,
    sentCount: count(({ status }) => accepted.has(status)),
    failedCount: count(({ status }) => status === 'FAILED'),
    skippedCount: count(({ status }) => status === 'SKIPPED'),
    uncertainCount: count(({ status }) => status === 'UNCERTAIN'),
  };
  const name = `campaign ${campaign.id}`;
  const problems = Object.entries(rows).flatMap(([counter, value]) => {
    const said = campaign[counter as keyof typeof rows];
    return said === value ? [] : [`${name} says ${counter} = ${said}, its rows say ${value}`];
  });
  const { totalRecipients, sentCount, failedCount, skippedCount, uncertainCount } = campaign;
  if (totalRecipients !== sentCount + failedCount + skippedCount + uncertainCount) {
    problems.push(
      `${name} does not close: ${totalRecipients} recipients, but ${sentCount} sent + ${failedCount} failed + ` +
        `${skippedCount} skipped + ${uncertainCount} uncertain`,
    );
  }
  if (campaign.status !== 'SENT') problems.push(`${name} is ${campaign.status}`);
  const addresses = new Set(mine.map(({ to }) => to));
  if (addresses.size !== mine.length) problems.push(`${name} has two emails to one address`);
  return problems;
}

function wrongRecipients(ledger: Ledger, messages: SinkMessage[]): string[] {
  const addresses = new Map(ledger.emails.map(({ id, to }) => [id, to]));
  return messages.flatMap(({ emailId, to }) => {
    const wanted = addresses.get(emailId);
    if (wanted === undefined || (to.length === 1 && to[0] === wanted)) return [];
    return [`email ${emailId} is for ${wanted} and went to ${to.join(', ')}`];
  });
}

const unknownMessage = ({ emailId, to }: SinkMessage): string =>
  `the sink has a message to ${to.join(', ')} that no row knows (X-Postrider-Email: ${emailId || 'missing'})`;

function countByEmail(messages: SinkMessage[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { emailId } of messages) counts.set(emailId, (counts.get(emailId) ?? 0) + 1);
  return counts;
}

function tally(emails: LedgerEmail[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of emails) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
