import type { DnsResolver, Services } from '../../base/kernel/index.ts';
import { RecentMap } from '../../base/lib/index.ts';

/** How long a visitor waits for name servers, and for how long an answer is used, in milliseconds. */
const patienceMs = 2_000;
const keptMs = 60_000;

const mostKnown = 10_000;

const known = new WeakMap<DnsResolver, RecentMap<string, { has: boolean; until: number }>>();

/**
 * Whether mail to a domain can be delivered: it has an MX record that is not null (RFC 7505), or an address. No answer in two seconds is no
 * reason against it. Where all email ends in the mailbox of a developer, every domain has one.
 */
export async function hasMailboxes(
  { dns, config }: { dns: DnsResolver; config: Pick<Services['config'], 'mailboxUrl'> },
  domain: string,
): Promise<boolean> {
  if (config.mailboxUrl !== null) return true;
  const answers = known.get(dns) ?? new RecentMap<string, { has: boolean; until: number }>(mostKnown);
  known.set(dns, answers);
  const now = performance.now();
  const answer = answers.get(domain);
  if (answer && answer.until > now) return answer.has;
  let timer: NodeJS.Timeout | undefined;
  const inTime = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), patienceMs);
  });
  const found = await Promise.race([lookUp(dns, domain), inTime]);
  clearTimeout(timer);
  if (found === null) return true;
  answers.set(domain, { has: found, until: now + keptMs });
  return found;
}

/** @returns null without an answer that decides */
async function lookUp(dns: DnsResolver, domain: string): Promise<boolean | null> {
  const [mx, addresses] = await Promise.all([dns.mx(domain), dns.addresses(domain)]);
  if (mx.kind === 'found' && mx.records.length > 0)
    return mx.records.some(({ exchange }) => exchange !== '' && exchange !== '.');
  if (addresses.kind === 'found' && addresses.records.length > 0) return true;
  return mx.kind === 'unanswered' || addresses.kind === 'unanswered' ? null : false;
}
