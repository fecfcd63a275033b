import type { DnsAnswer, DnsResolver } from '../../base/kernel/index.ts';
import type { DnsRecord } from '../../base/providers/index.ts';
import { hostMatches, textMatches } from './records.rules.ts';

/** What was found for each record: true when it is there, false when it is missing, null when no server answered. */
export type Findings = Map<string, boolean | null>;

/** The key of a record's finding. */
export const recordKey = ({ type, name }: Pick<DnsRecord, 'type' | 'name'>): string => `${type} ${name}`;

/** Looks up all records concurrently. */
export async function checkRecords(dns: DnsResolver, records: readonly DnsRecord[]): Promise<Findings> {
  const found = await Promise.all(
    records.map(
      async (record): Promise<[string, boolean | null]> => [recordKey(record), await look(dns, record)],
    ),
  );
  return new Map(found);
}

async function look(dns: DnsResolver, record: DnsRecord): Promise<boolean | null> {
  const { name, value } = record;
  switch (record.type) {
    case 'TXT':
      return judge(await dns.txt(name), (text) => textMatches(record, text));
    case 'MX':
      return judge(await dns.mx(name), ({ exchange }) => hostMatches(value, exchange));
    case 'CNAME':
      return judge(await dns.cname(name), (target) => hostMatches(value, target));
  }
}

function judge<T>(answer: DnsAnswer<T>, matches: (record: T) => boolean): boolean | null {
  if (answer.kind === 'unanswered') return null;
  return answer.kind === 'found' && answer.records.some(matches);
}
