import type { DnsRecord, ProviderConfig } from '../../base/providers/index.ts';
import { recordKey } from './check-records.ts';
import type { DomainOutput } from './domains.schema.ts';
import type { DomainRow } from './domains.store.ts';
import { recordsOf } from './records.rules.ts';

export const recordsOfRow = (row: DomainRow, config: ProviderConfig): DnsRecord[] =>
  recordsOf({ domain: row.domain, sesTokens: row.sesTokens, ...row.key }, config);

/** The findings of the last checks, by record. */
export const findingsOf = (row: DomainRow): Record<string, boolean> =>
  row.recordsFound as Record<string, boolean>;

export function presentDomain(row: DomainRow, config: ProviderConfig): DomainOutput {
  const findings = findingsOf(row);
  return {
    ...row,
    verified: row.status === 'VERIFIED',
    verifiedBy: row.status === 'VERIFIED' ? row.verifiedBy : null,
    records: recordsOfRow(row, config).map((record) => ({
      ...record,
      found: findings[recordKey(record)] ?? null,
    })),
  };
}
