import { domainToASCII } from 'node:url';
import type { Services } from '../../../base/kernel/index.ts';
import { providerOf } from './mail-hosts.rules.ts';
import { collectDomains, dueDomains, storeChecked } from './mailbox-domains.store.ts';

/** Contacts read in one run, in batches. */
const perBatch = 10_000;
const mostBatches = 10;
/** Contacts older than this have no neighbours that are not committed. */
const settledMs = 120_000;
const recheckDays = 30;

/** Lookups in one run, and at the same time. */
const lookupsPerRun = 500;
const lookupsAtOnce = 20;

/** What one run did. */
export interface ProviderSearch {
  contacts: number;
  domains: number;
}

/**
 * Finds the mailbox providers of contacts' domains by their MX records. Each domain is looked up once, and again only when another
 * contact has it after 30 days. A run is bounded, whatever the contacts are: 100,000 contacts and 500 lookups, in which projects take
 * turns. What is left over is due in the next one.
 */
export async function findProviders(
  { database: { prisma }, dns }: Pick<Services, 'database' | 'dns'>,
  now = new Date(),
): Promise<ProviderSearch> {
  const before = firstIdAt(now.getTime() - settledMs);
  let contacts = 0;
  for (let batch = 0; batch < mostBatches; batch += 1) {
    const read = await collectDomains(prisma, { before, limit: perBatch, recheckDays });
    contacts += read;
    if (read < perBatch) break;
  }
  const domains = await dueDomains(prisma, lookupsPerRun);
  for (let from = 0; from < domains.length; from += lookupsAtOnce) {
    const some = domains.slice(from, from + lookupsAtOnce);
    const providers = await Promise.all(some.map((domain) => lookUp(dns, domain)));
    await storeChecked(
      prisma,
      some.map((domain, index) => ({ domain, provider: providers[index] ?? null })),
    );
  }
  return { contacts, domains: domains.length };
}

/** null when no server answered */
async function lookUp(dns: Services['dns'], domain: string): Promise<string | null> {
  const name = domainToASCII(domain);
  // A name that DNS cannot have.
  if (name === '') return 'other';
  const answer = await dns.mx(name);
  if (answer.kind === 'unanswered') return null;
  return providerOf(answer.kind === 'found' ? answer.records : []);
}

/** The lowest id that could be made at a time (RFC 9562: version 7 begins with the milliseconds). */
function firstIdAt(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
