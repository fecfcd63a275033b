import { z } from 'zod';
import {
  type DnsAnswer,
  type DnsResolver,
  emailAddress,
  query,
  typeNames,
} from '../../../base/kernel/index.ts';
import { suggestProvider } from './address.rules.ts';
import { isDisposableDomain, isForwardingDomain, isFreeDomain, wellKnownProviders } from './address-lists.ts';

export const verifyAddress = query({
  name: 'contacts.verifyAddress',
  summary: 'Checks whether an email address can receive email, and classifies it',
  permission: 'mail:send',
  allowDisabled: false,
  input: z.object({ email: emailAddress.describe('The address to check.') }),
  output: z
    .object({
      email: z.string().meta({ description: 'The address in its normal form.', format: 'email' }),
      valid: z.boolean().meta({
        description: 'Whether mail can reach it: its domain exists, takes mail and is not disposable.',
        examples: [true],
      }),
      isDisposable: z.boolean().meta({
        description: 'Whether the domain belongs to a provider of throw-away addresses.',
        examples: [false],
      }),
      isAlias: z
        .boolean()
        .meta({ description: 'Whether the domain belongs to a forwarding service.', examples: [false] }),
      isTypo: z
        .boolean()
        .meta({ description: 'Whether the domain looks like a misspelled provider.', examples: [false] }),
      isPlusAddressed: z
        .boolean()
        .meta({ description: 'Whether the local part contains `+`.', examples: [false] }),
      isPersonalEmail: z
        .boolean()
        .meta({ description: 'Whether the domain belongs to a free mailbox provider.', examples: [false] }),
      domainExists: z.boolean().meta({
        description: 'Whether the domain has name servers, an address or an MX record.',
        examples: [true],
      }),
      hasWebsite: z
        .boolean()
        .meta({ description: 'Whether the domain has an A or AAAA record.', examples: [true] }),
      hasMxRecords: z.boolean().meta({
        description: 'Whether the domain has an MX record that is not a null MX.',
        examples: [true],
      }),
      suggestedEmail: z
        .string()
        .optional()
        .meta({
          description: 'The address that was probably meant. Present with `isTypo`.',
          examples: ['customer@gmail.com'],
        }),
      reasons: z.array(z.string()).meta({
        description: 'One sentence for each finding against the address; `[]` when there is none.',
        examples: [[]],
      }),
    })
    .register(typeNames, { name: 'VerifiedAddress' }),
  async handler(ctx, { email }) {
    const at = email.lastIndexOf('@');
    const local = email.slice(0, at);
    const domain = email.slice(at + 1);
    const dns = await lookUp(ctx.services.dns, domain);
    const isDisposable = isDisposableDomain(domain);
    const suggestion = suggestProvider(
      domain,
      wellKnownProviders,
      (name) => isFreeDomain(name) || isForwardingDomain(name),
    );
    const suggestedEmail = suggestion ? `${local}@${suggestion}` : undefined;
    const reachable = dns.hasMx || (dns.hasWebsite && !dns.nullMx);
    const reasons = [
      ...(dns.unanswered ? ['DNS lookup did not answer'] : []),
      ...(!dns.exists && !dns.unanswered ? ['Domain does not exist'] : []),
      ...(dns.exists && !dns.hasMx && !dns.mxUnanswered ? ['Domain has no MX records'] : []),
      ...(isDisposable ? ['Disposable email address'] : []),
      ...(suggestedEmail ? [`Possible typo, did you mean ${suggestedEmail}?`] : []),
    ];
    return {
      email,
      valid: dns.exists && reachable && !isDisposable,
      isDisposable,
      isAlias: isForwardingDomain(domain),
      isTypo: suggestion !== null,
      isPlusAddressed: local.includes('+'),
      isPersonalEmail: isFreeDomain(domain),
      domainExists: dns.exists,
      hasWebsite: dns.hasWebsite,
      hasMxRecords: dns.hasMx,
      ...(suggestedEmail ? { suggestedEmail } : {}),
      reasons,
    };
  },
});

interface Findings {
  exists: boolean;
  hasWebsite: boolean;
  hasMx: boolean;
  /** a single MX with an empty name: the domain accepts no mail (RFC 7505) */
  nullMx: boolean;
  unanswered: boolean;
  mxUnanswered: boolean;
}

async function lookUp(resolver: DnsResolver, domain: string): Promise<Findings> {
  const [mx, addresses, ns] = await Promise.all([
    resolver.mx(domain),
    resolver.addresses(domain),
    resolver.ns(domain),
  ]);
  const exchanges = mx.kind === 'found' ? mx.records : [];
  const nullMx =
    exchanges.length > 0 && exchanges.every(({ exchange }) => exchange === '' || exchange === '.');
  const found = (answer: DnsAnswer<unknown>): boolean => answer.kind === 'found' && answer.records.length > 0;
  return {
    exists: found(mx) || found(addresses) || found(ns),
    hasWebsite: found(addresses),
    hasMx: exchanges.length > 0 && !nullMx,
    nullMx,
    unanswered: [mx, addresses, ns].some(({ kind }) => kind === 'unanswered'),
    mxUnanswered: mx.kind === 'unanswered',
  };
}
