import type { DnsResolver } from '../../../base/kernel/index.ts';
import { shown } from './health-input.ts';

export interface Zone {
  name: string;
  nameServers: string[];
}

/** The zone of a domain: the domain, or its nearest parent, that has name servers. Top-level domains are not considered. */
export async function findZone(dns: DnsResolver, domain: string): Promise<Zone | null> {
  const labels = domain.split('.');
  const names = labels.slice(0, -1).map((_label, start) => labels.slice(start).join('.'));
  const answers = await Promise.all(names.map((name) => dns.ns(name)));
  for (const [index, name] of names.entries()) {
    const answer = answers[index];
    if (answer?.kind === 'unanswered') return null;
    if (answer?.kind === 'found') return { name, nameServers: shown(answer.records.toSorted()) };
  }
  return null;
}
