import { z } from 'zod';
import { type DnsAnswer, type DnsResolver, emailAddress, query, typeNames } from '../../kernel/index.ts';
import { suggestProvider } from './address.rules.ts';
import { isDisposableDomain, isForwardingDomain, isFreeDomain, wellKnownProviders } from './address-lists.ts';

export const verifyAddress = query({
  name: 'contacts.verifyAddress',
  summary: 'Says whether an email address can get mail, and what kind of address it is',
  permission: 'mail:send',
  input: z.object({ email: emailAddress }),
  output: z
    .object({
      email: z.string(),
      valid: z.boolean(),
      isDisposable: z.boolean(),
      isAlias: z.boolean(),
      isTypo: z.boolean(),
      isPlusAddressed: z.boolean(),
      isPersonalEmail: z.boolean(),
      domainExists: z.boolean(),
      hasWebsite: z.boolean(),
      hasMxRecords: z.boolean(),
      suggestedEmail: z.string().optional(),
      reasons: z.array(z.string()),
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
