import type { DomainCheck } from '../health.schema.ts';
import { hostMatches } from '../records.rules.ts';
import { type HealthInput, noAnswer, shown } from './health-input.ts';

/** Bounces reach the platform. @returns null where no such record is prescribed */
export async function checkMx({ dns, records, sender }: HealthInput): Promise<DomainCheck | null> {
  const record = records.find(({ purpose }) => purpose === 'MX');
  if (!record) return null;
  const answer = await dns.mx(record.name);
  const exchanges = answer.kind === 'found' ? answer.records : [];
  const check = {
    name: 'MX' as const,
    host: record.name,
    found: shown(exchanges.map(({ priority, exchange }) => `${priority} ${exchange}`)),
    wanted: `${record.priority ?? 10} ${record.value}`,
  };
  if (answer.kind === 'unanswered') return { ...check, status: 'unknown', advice: noAnswer };
  if (answer.kind === 'none')
    return {
      ...check,
      status: 'warn',
      advice: 'Create this MX record; until then bounces go to your From address and are not counted.',
    };
  const other = exchanges.find(({ exchange }) => !hostMatches(record.value, exchange));
  if (other)
    return {
      ...check,
      status: 'fail',
      advice: `Remove the MX record for ${other.exchange || 'no host'}: bounces that go there are not counted.`,
    };
  if (sender?.addresses?.length === 0)
    return {
      ...check,
      status: 'fail',
      advice: `Give ${sender.host} an address (A or AAAA); bounces cannot reach it.`,
    };
  return { ...check, status: 'ok', advice: 'Bounces reach Postrider.' };
}
