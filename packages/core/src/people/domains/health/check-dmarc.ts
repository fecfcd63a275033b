import type { DnsResolver } from '../../../base/kernel/index.ts';
import type { DomainCheck } from '../health.schema.ts';
import { dmarcTags, reportHosts } from './dmarc.rules.ts';
import { type HealthInput, noAnswer, shown } from './health-input.ts';

type Published = { host: string; records: string[]; inherited: boolean } | 'unanswered' | 'none';

/** The policy for forged email, and where reports go (RFC 7489). The record that the owner is asked to create passes. */
export async function checkDmarc({ dns, domain, records }: HealthInput): Promise<DomainCheck> {
  const published = await findDmarc(dns, domain);
  const check = {
    name: 'DMARC' as const,
    host: `_dmarc.${domain}`,
    found: [] as string[],
    wanted: records.find(({ purpose }) => purpose === 'DMARC')?.value ?? null,
  };
  if (published === 'unanswered') return { ...check, status: 'unknown', advice: noAnswer };
  if (published === 'none')
    return {
      ...check,
      status: 'fail',
      advice: 'Create this TXT record; large providers reject bulk email without DMARC.',
    };
  const { host, inherited } = published;
  const seen = { ...check, host, found: shown(published.records) };
  if (published.records.length > 1)
    return {
      ...seen,
      status: 'fail',
      advice: 'Keep one DMARC record: with several, receivers ignore all of them.',
    };
  const tags = dmarcTags(published.records[0] ?? '');
  const policy = (inherited ? tags.get('sp') : undefined) ?? tags.get('p');
  if (policy === undefined || !['none', 'quarantine', 'reject'].includes(policy.toLowerCase()))
    return { ...seen, status: 'fail', advice: 'Set the policy (p) to none, quarantine or reject.' };
  return { ...seen, ...(await judge(dns, domain, tags, policy.toLowerCase())) };
}

async function judge(dns: DnsResolver, domain: string, tags: ReadonlyMap<string, string>, policy: string) {
  // What is wanted beside the published policy is in the advice: the recommended record may be weaker than that policy.
  const warn = (advice: string) => ({ status: 'warn' as const, wanted: null, advice });
  const hosts = reportHosts(tags);
  const refused = await findRefusing(dns, domain, hosts);
  if (refused !== undefined)
    return warn(`Reports are not sent to ${refused} until it publishes ${domain}._report._dmarc.${refused}.`);
  if (tags.get('aspf')?.toLowerCase() === 's')
    return warn(
      'Set SPF alignment to relaxed (aspf=r): the return-path is on a subdomain, so only DKIM passes.',
    );
  return { status: 'ok' as const, advice: adviceOn(policy, hosts.length > 0) };
}

/** What a record that passes does, and what would protect the name better. */
function adviceOn(policy: string, hasReports: boolean): string {
  const effect =
    policy === 'none'
      ? 'Large providers accept the record'
      : `Receivers ${policy === 'reject' ? 'reject' : 'set aside'} forged email${hasReports ? ' and report to you' : ''}`;
  if (!hasReports)
    return `${effect}; add a reports address (rua), so that you see who sends email in your name.`;
  return policy === 'none'
    ? `${effect}; change the policy to quarantine once the reports show that all of your email passes.`
    : `${effect}.`;
}

/** The records of the domain, else of its nearest parent that has any, whose policy for subdomains then applies. */
export async function findDmarc(dns: DnsResolver, domain: string): Promise<Published> {
  const labels = domain.split('.');
  for (let start = 0; start <= labels.length - 2; start++) {
    const host = `_dmarc.${labels.slice(start).join('.')}`;
    const answer = await dns.txt(host);
    if (answer.kind === 'unanswered') return 'unanswered';
    const records = answer.kind === 'found' ? answer.records.filter((text) => dmarcTags(text).size > 0) : [];
    if (records.length > 0) return { host, records, inherited: start > 0 };
  }
  return 'none';
}

/** A host outside of the domain that does not accept reports about it (RFC 7489, 7.1). */
async function findRefusing(
  dns: DnsResolver,
  domain: string,
  hosts: readonly string[],
): Promise<string | undefined> {
  const foreign = hosts.filter((host) => host !== domain && !isBelow(host, domain) && !isBelow(domain, host));
  const accepts = await Promise.all(
    foreign.slice(0, 5).map(async (host) => {
      const answer = await dns.txt(`${domain}._report._dmarc.${host}`);
      if (answer.kind === 'unanswered') return true;
      return answer.kind === 'found' && answer.records.some((text) => dmarcTags(text).size > 0);
    }),
  );
  return foreign.find((_host, index) => accepts[index] === false);
}

const isBelow = (host: string, parent: string): boolean => host.endsWith(`.${parent}`);
