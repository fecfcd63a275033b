import type { DnsResolver } from '../../../base/kernel/index.ts';
import type { DomainCheck } from '../health.schema.ts';
import { hostMatches } from '../records.rules.ts';
import { type HealthInput, noAnswer, shown } from './health-input.ts';

/** `matches`: confirmed, and the name is `MAIL_HOST`. `confirmed`: another name, whose addresses include this one. */
type Reverse = 'unanswered' | 'none' | 'unconfirmed' | 'confirmed' | 'matches';

const mostAddresses = 4;

/**
 * Every address of `MAIL_HOST` has a name that has this address (forward-confirmed reverse DNS).
 *
 * @returns null with a provider whose own addresses send
 */
export async function checkReverseDns({ dns, sender, config }: HealthInput): Promise<DomainCheck | null> {
  if (config.mailProvider.hasOwnAddresses) return null;
  const check = { name: 'REVERSE_DNS' as const, host: config.MAIL_HOST, found: [], wanted: null };
  if (!sender)
    return {
      ...check,
      status: 'unknown',
      advice:
        'The addresses of the mail server are checked once the operator of this installation sets its public name (MAIL_HOST).',
    };
  if (sender.addresses === null) return { ...check, status: 'unknown', advice: noAnswer };
  if (sender.addresses.length === 0)
    return { ...check, status: 'fail', advice: `Give ${sender.host} an address (A or AAAA).` };
  const results = await Promise.all(
    sender.addresses.slice(0, mostAddresses).map((address) => look(dns, address, sender.host)),
  );
  return {
    ...check,
    found: shown(
      results.map(({ address, names }) => `${address} → ${names.length > 0 ? names.join(', ') : 'no name'}`),
    ),
    wanted: sender.addresses.map((address) => `${address} → ${sender.host}`).join(', '),
    ...meanings[order.find((state) => results.some((result) => result.state === state)) ?? 'matches'],
  };
}

const order = ['none', 'unconfirmed', 'unanswered', 'confirmed', 'matches'] as const;
const meanings: Record<Reverse, Pick<DomainCheck, 'status' | 'advice'>> = {
  none: {
    status: 'fail',
    advice:
      'Ask the provider of the address for a reverse DNS (PTR) record; large providers reject email without it.',
  },
  unconfirmed: {
    status: 'fail',
    advice: 'Point the reverse DNS (PTR) record to a name that has this address; the present one does not.',
  },
  unanswered: { status: 'unknown', advice: noAnswer },
  confirmed: {
    status: 'warn',
    advice: 'Change the reverse DNS (PTR) record to MAIL_HOST, so that both names of the server agree.',
  },
  matches: { status: 'ok', advice: 'The addresses of the mail server have its name.' },
};

async function look(dns: DnsResolver, address: string, host: string) {
  const answer = await dns.names(address);
  const names = answer.kind === 'found' ? answer.records.slice(0, 5) : [];
  const stateOf = async (): Promise<Reverse> => {
    if (answer.kind !== 'found') return answer.kind;
    const forward = await Promise.all(names.map((name) => dns.addresses(name)));
    const confirmed = names.filter((_name, index) => {
      const each = forward[index];
      return each?.kind === 'found' && each.records.includes(address);
    });
    if (confirmed.some((name) => hostMatches(host, name))) return 'matches';
    if (confirmed.length > 0) return 'confirmed';
    return forward.some(({ kind }) => kind === 'unanswered') ? 'unanswered' : 'unconfirmed';
  };
  return { address, names, state: await stateOf() };
}
