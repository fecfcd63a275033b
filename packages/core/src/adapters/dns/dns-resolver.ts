import { Resolver } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import type { DnsAnswer, DnsResolver } from '../../base/kernel/ports/dns.ts';

export interface DnsOptions {
  /** `ip` or `ip:port`; none: those of the system */
  servers: readonly string[];
  /** time limit of one lookup including its retries, in milliseconds */
  timeoutMs?: number;
}

/** The name or the record does not exist, or cannot exist; any other error counts as unanswered. */
const noRecord = new Set(['ENODATA', 'ENOTFOUND', 'EBADNAME']);
const triesPerServer = 2;
/** What is read of an answer: more than any domain needs. */
const mostRecords = 64;
const longestText = 4_096;

/** Queries the given DNS servers directly, without hosts file or cache. */
export function createDnsResolver({ servers, timeoutMs = 5_000 }: DnsOptions): DnsResolver {
  const lookup = async <T>(ask: (resolver: Resolver) => Promise<T[]>): Promise<DnsAnswer<T>> => {
    // One resolver per lookup: cancelling one ends all of its queries.
    const resolver = new Resolver({
      timeout: Math.ceil(timeoutMs / (triesPerServer + 1)),
      tries: triesPerServer,
    });
    if (servers.length > 0) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), timeoutMs);
    try {
      const records = (await ask(resolver)).slice(0, mostRecords);
      return records.length > 0 ? { kind: 'found', records } : { kind: 'none' };
    } catch (error) {
      return noRecord.has(codeOf(error)) ? { kind: 'none' } : { kind: 'unanswered' };
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    // The strings of a TXT record are concatenated without separators (RFC 7208, 3.3).
    txt: (name) =>
      lookup(async (resolver) =>
        (await resolver.resolveTxt(name)).map((pieces) => pieces.join('').slice(0, longestText)),
      ),
    mx: (name) => lookup((resolver) => resolver.resolveMx(name)),
    cname: (name) => lookup((resolver) => resolver.resolveCname(name)),
    ns: (name) => lookup((resolver) => resolver.resolveNs(name)),
    // Not `reverse`, which reads the hosts file first.
    names: (address) => lookup((resolver) => resolver.resolvePtr(reverseName(address))),
    async addresses(name) {
      const answers = await Promise.all([
        lookup((resolver) => resolver.resolve4(name)),
        lookup((resolver) => resolver.resolve6(name)),
      ]);
      const records = answers.flatMap((answer) => (answer.kind === 'found' ? answer.records : []));
      if (records.length > 0) return { kind: 'found', records };
      return answers.some((answer) => answer.kind === 'unanswered')
        ? { kind: 'unanswered' }
        : { kind: 'none' };
    },
  };
}

/** The name that has the PTR records of an address (RFC 1035, 3.5; RFC 3596, 2.5). */
function reverseName(address: string): string {
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return `${parsed.toByteArray().reverse().join('.')}.in-addr.arpa`;
  const digits = parsed.toByteArray().map((byte) => byte.toString(16).padStart(2, '0'));
  return `${[...digits.join('')].reverse().join('.')}.ip6.arpa`;
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code);
