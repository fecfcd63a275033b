import type { SqlDb } from '../../base/db/index.ts';
import type { DnsResolver, Services } from '../../base/kernel/index.ts';
import { RecentMap } from '../../base/lib/index.ts';
import { needsRecords } from './domains.store.ts';
import { findDmarc } from './health/check-dmarc.ts';

interface Known {
  lacks: Promise<boolean>;
  until: number;
}

/** A record that was just created is seen within this time; a campaign that is checked at each pause in typing causes one look-up. */
const freshMs = 60_000;
const patienceMs = 700;
const mostKnown = 1_000;
const knownBy = new WeakMap<DnsResolver, RecentMap<string, Known>>();

/**
 * The domain of a sender, if it has no DMARC record and none of its parents has one (RFC 7489); null if it has one, if its email needs no
 * records (behaviour B15.9), and where DNS does not answer at once.
 */
export async function lacksDmarc(
  { dns, config }: Pick<Services, 'dns' | 'config'>,
  db: SqlDb,
  projectId: string,
  from: string,
): Promise<string | null> {
  const domain = from.slice(from.lastIndexOf('@') + 1).toLowerCase();
  if (config.mailboxUrl !== null || from.toLowerCase() === config.sandboxFrom) return null;
  if (!(await needsRecords(db, projectId, domain))) return null;
  const known = knownOf(dns);
  let entry = known.get(domain);
  if (!entry || entry.until < Date.now()) {
    entry = { lacks: lookUp(dns, domain), until: Date.now() + freshMs };
    known.set(domain, entry);
  }
  let timer: NodeJS.Timeout | undefined;
  const impatient = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), patienceMs);
  });
  try {
    return (await Promise.race([entry.lacks, impatient])) ? domain : null;
  } finally {
    clearTimeout(timer);
  }
}

async function lookUp(dns: DnsResolver, domain: string): Promise<boolean> {
  try {
    return (await findDmarc(dns, domain)) === 'none';
  } catch {
    return false;
  }
}

function knownOf(dns: DnsResolver): RecentMap<string, Known> {
  const known = knownBy.get(dns) ?? new RecentMap<string, Known>(mostKnown);
  knownBy.set(dns, known);
  return known;
}
