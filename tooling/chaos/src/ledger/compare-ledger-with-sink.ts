import type { SinkMessage } from '@postrider/local/sink';
import type { Pool } from 'pg';
import { campaignFaults } from './campaign-faults.ts';
import { emailFaults } from './email-faults.ts';
import { countFaults, type Fault, type FaultKind } from './fault.ts';
import { type Ledger, type LedgerEmail, readLedger } from './ledger.store.ts';
import { messageFaults } from './message-faults.ts';

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
  /** transactional emails that were UNCERTAIN and therefore sent once more (behaviour B3.3) */
  resent: number;
  faults: Record<FaultKind, number>;
  /** the faults, one sentence each; empty means that no email was lost or sent twice */
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
  const byCampaign = Map.groupBy(ledger.emails, ({ campaignId }) => campaignId);
  const faults = [
    ...messageFaults(ledger.emails, messages),
    ...ledger.emails.flatMap((email) => emailFaults(email, received.get(email.id) ?? 0)),
    ...ledger.campaigns.flatMap((campaign) => campaignFaults(campaign, byCampaign.get(campaign.id) ?? [])),
    ...batchFaults(ledger),
  ];
  const uncertain = ledger.emails
    .filter(({ status }) => status === 'UNCERTAIN')
    .map(({ id, to, error }) => ({ id, to, error, atSink: (received.get(id) ?? 0) > 0 }));
  return {
    emails: ledger.emails.length,
    atSink: messages.length,
    byStatus: tally(ledger.emails),
    uncertain,
    resent: ledger.emails.filter(({ autoResent }) => autoResent).length,
    faults: countFaults(faults),
    problems: faults.map(({ text }) => text),
  };
}

const batchFaults = ({ batches }: Ledger): Fault[] =>
  batches > 0 ? [{ kind: 'stranded', text: `${batches} batches are left although nothing is sent` }] : [];

function countByEmail(messages: readonly SinkMessage[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { emailId } of messages) counts.set(emailId, (counts.get(emailId) ?? 0) + 1);
  return counts;
}

function tally(emails: readonly LedgerEmail[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of emails) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
