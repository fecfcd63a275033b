import { BlockList, isIP } from 'node:net';
import type { DnsAnswer, DnsResolver } from '../../../base/kernel/index.ts';

/** Results of RFC 7208, 2.6. */
export type SpfResult = 'pass' | 'fail' | 'softfail' | 'neutral' | 'none' | 'permerror' | 'temperror';

/** Mechanisms and modifiers of one evaluation that may cause lookups (RFC 7208, 4.6.4). */
const mostLookups = 10;
/** Host names of one `mx` mechanism that are resolved (RFC 7208, 4.6.4). */
const mostExchanges = 10;
const resultOfQualifier = { '+': 'pass', '-': 'fail', '~': 'softfail', '?': 'neutral' } as const;

/** Ends an evaluation whatever the terms that follow. */
class SpfError extends Error {
  readonly result: 'permerror' | 'temperror';

  constructor(result: 'permerror' | 'temperror') {
    super(result);
    this.result = result;
  }
}

export const spfRecords = (texts: readonly string[]): string[] =>
  texts.filter((text) => /^v=spf1( |$)/i.test(text));

/**
 * The result of the SPF record of a host for a client address, as a receiver computes it (RFC 7208). `ptr`, which is deprecated, and
 * macros, which depend on the single message, count as not matching.
 */
export async function evaluateSpf(dns: DnsResolver, host: string, address: string): Promise<SpfResult> {
  try {
    return await new Evaluation(dns, address).of(host);
  } catch (error) {
    if (error instanceof SpfError) return error.result;
    throw error;
  }
}

class Evaluation {
  #lookups = 0;
  readonly #dns: DnsResolver;
  readonly #address: string;

  constructor(dns: DnsResolver, address: string) {
    this.#dns = dns;
    this.#address = address;
  }

  async of(host: string): Promise<SpfResult> {
    const [record, ...others] = spfRecords(found(await this.#dns.txt(host)));
    if (record === undefined) return 'none';
    if (others.length > 0) throw new SpfError('permerror');
    const terms = record.split(/ +/).slice(1).filter(Boolean);
    for (const term of terms.filter((each) => !isModifier(each))) {
      const { qualifier, name, value } = mechanismOf(term);
      if (await this.#matches(name, value, host)) return resultOfQualifier[qualifier];
    }
    const redirect = terms.find((term) => /^redirect=/i.test(term))?.slice('redirect='.length);
    if (redirect === undefined) return 'neutral';
    this.#countLookup();
    const result = await this.of(redirect);
    if (result === 'none') throw new SpfError('permerror');
    return result;
  }

  async #matches(name: string, value: string, host: string): Promise<boolean> {
    if (value.includes('%')) return this.#skipLookup();
    switch (name) {
      case 'all':
        return true;
      case 'ip4':
      case 'ip6':
        return this.#isIn([value]);
      case 'include':
        return this.#isIncluded(value);
      case 'a': {
        const { target, ranges } = targetOf(value, host);
        this.#countLookup();
        return this.#isIn(found(await this.#dns.addresses(target)).map(ranges));
      }
      case 'mx': {
        const { target, ranges } = targetOf(value, host);
        this.#countLookup();
        const exchanges = found(await this.#dns.mx(target)).slice(0, mostExchanges);
        const answers = await Promise.all(exchanges.map(({ exchange }) => this.#dns.addresses(exchange)));
        return this.#isIn(answers.flatMap(found).map(ranges));
      }
      case 'exists':
      case 'ptr':
        return this.#skipLookup();
      default:
        throw new SpfError('permerror');
    }
  }

  async #isIncluded(host: string): Promise<boolean> {
    this.#countLookup();
    const result = await this.of(host);
    if (result === 'none') throw new SpfError('permerror');
    return result === 'pass';
  }

  #isIn(ranges: readonly string[]): boolean {
    return ranges.some((range) => contains(range, this.#address));
  }

  #skipLookup(): false {
    this.#countLookup();
    return false;
  }

  #countLookup(): void {
    if (++this.#lookups > mostLookups) throw new SpfError('permerror');
  }
}

const isModifier = (term: string): boolean => /^[a-z][\w.-]*=/i.test(term);

function mechanismOf(term: string) {
  const [, qualifier = '+', name = '', value = ''] = /^([+\-~?])?([a-z0-9]+)[:/]?(.*)$/is.exec(term) ?? [];
  const withSlash = term.includes('/') && !term.includes(':') ? `/${value}` : value;
  return { qualifier: qualifier as '+' | '-' | '~' | '?', name: name.toLowerCase(), value: withSlash };
}

/** The host of an `a` or `mx` mechanism, and its addresses as ranges of the lengths given: `mail.example.com/24//64`. */
function targetOf(value: string, host: string) {
  const [, target = '', four = '32', six = '128'] = /^([^/]*)(?:\/(\d+))?(?:\/\/(\d+))?$/.exec(value) ?? [];
  return {
    target: target === '' ? host : target,
    ranges: (address: string) => `${address}/${isIP(address) === 6 ? six : four}`,
  };
}

function contains(range: string, address: string): boolean {
  const [network = '', length] = range.split('/');
  const family = isIP(network);
  const most = family === 6 ? 128 : 32;
  const bits = length === undefined ? most : Number(length);
  if (family === 0 || !Number.isInteger(bits) || bits < 0 || bits > most) throw new SpfError('permerror');
  if (family !== isIP(address)) return false;
  const list = new BlockList();
  list.addSubnet(network, bits, family === 6 ? 'ipv6' : 'ipv4');
  return list.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

function found<T>(answer: DnsAnswer<T>): T[] {
  if (answer.kind === 'unanswered') throw new SpfError('temperror');
  return answer.kind === 'found' ? answer.records : [];
}
