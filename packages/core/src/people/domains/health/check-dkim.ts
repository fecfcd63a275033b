import type { DnsAnswer } from '../../../base/kernel/index.ts';
import type { DnsRecord } from '../../../base/providers/index.ts';
import type { DomainCheck } from '../health.schema.ts';
import { hostMatches, textMatches } from '../records.rules.ts';
import { type HealthInput, noAnswer, shown } from './health-input.ts';

/** The published key is the one that signs (RFC 6376, 3.6). With a provider that signs, one check per record. */
export function checkDkim({ dns, records, config }: HealthInput): Promise<DomainCheck>[] {
  return records
    .filter(({ purpose }) => purpose === 'DKIM')
    .map(async (record) =>
      record.type === 'CNAME'
        ? judgeAlias(record, await dns.cname(record.name), config.mailProvider.title)
        : judgeKey(record, await dns.txt(record.name)),
    );
}

function judgeAlias(record: DnsRecord, answer: DnsAnswer<string>, provider: string): DomainCheck {
  const check = blank(record, answer);
  if (answer.kind === 'unanswered') return { ...check, status: 'unknown', advice: noAnswer };
  if (answer.kind === 'found' && answer.records.some((target) => hostMatches(record.value, target)))
    return { ...check, status: 'ok', advice: `The alias points to the key of ${provider}.` };
  return {
    ...check,
    status: 'fail',
    advice: 'Create this CNAME record; without it, signatures cannot be verified.',
  };
}

function judgeKey(record: DnsRecord, answer: DnsAnswer<string>): DomainCheck {
  const check = blank(record, answer);
  if (answer.kind === 'unanswered') return { ...check, status: 'unknown', advice: noAnswer };
  if (answer.kind === 'none')
    return {
      ...check,
      status: 'fail',
      advice: 'Create this TXT record; without it, signatures cannot be verified.',
    };
  const key = answer.records.find((text) => textMatches(record, text));
  if (key === undefined)
    return {
      ...check,
      status: 'fail',
      advice: 'Replace the published key: it is not the one that signs your email.',
    };
  if (answer.records.length > 1)
    return {
      ...check,
      status: 'warn',
      advice: 'Remove the other TXT records of this name: receivers may use any of them as the key.',
    };
  if (/(^|;)\s*t\s*=\s*([a-z]+:)*y\b/i.test(key))
    return {
      ...check,
      status: 'warn',
      advice: 'Remove the tag t=y: it declares a test, and receivers may then ignore the signature.',
    };
  return { ...check, status: 'ok', advice: 'The published key is the one that signs your email.' };
}

const blank = (record: DnsRecord, answer: DnsAnswer<string>) => ({
  name: 'DKIM' as const,
  host: record.name,
  found: answer.kind === 'found' ? shown(answer.records) : [],
  wanted: record.value,
});
