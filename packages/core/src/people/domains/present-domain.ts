import { recordKey } from './check-records.ts';
import type { DomainOutput } from './domains.schema.ts';
import type { DomainRow } from './domains.store.ts';
import { type DnsRecord, type MailSettings, recordsOf } from './records.rules.ts';

export const recordsOfRow = (row: DomainRow, settings: MailSettings): DnsRecord[] =>
  recordsOf({ domain: row.domain, sesTokens: row.sesTokens, ...row.key }, settings);

/** The findings of the last checks, by record. */
export const findingsOf = (row: DomainRow): Record<string, boolean> =>
  row.recordsFound as Record<string, boolean>;

export function presentDomain(row: DomainRow, settings: MailSettings): DomainOutput {
  const findings = findingsOf(row);
  return {
    ...row,
    verified: row.status === 'VERIFIED',
    records: recordsOfRow(row, settings).map((record) => ({
      ...record,
      found: findings[recordKey(record)] ?? null,
    })),
  };
}
