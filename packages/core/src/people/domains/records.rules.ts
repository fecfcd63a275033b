import type { DnsRecord, ProviderConfig, SenderIdentity } from '../../base/providers/index.ts';

/** The records of a domain: those that the provider asks for, and that of DMARC. */
export const recordsOf = (identity: SenderIdentity, config: ProviderConfig): DnsRecord[] => [
  ...config.mailProvider.records(identity, config),
  {
    type: 'TXT',
    name: `_dmarc.${identity.domain}`,
    value: 'v=DMARC1; p=none',
    purpose: 'DMARC',
    required: false,
  },
];

/** Whether a found text record matches the required one; recommended records may have additions. */
export function textMatches({ purpose, value }: DnsRecord, text: string): boolean {
  if (purpose === 'DKIM') return publicKeyOf(text) !== '' && publicKeyOf(text) === publicKeyOf(value);
  if (purpose === 'DMARC') return /^\s*v\s*=\s*DMARC1\s*(;|$)/.test(text);
  return spfTermOf(value).every((term) => spfTerms(text).includes(term));
}

/** Host names are compared without case and without the dot that ends them in zone files. */
export const hostMatches = (wanted: string, found: string): boolean => plainHost(wanted) === plainHost(found);

const plainHost = (host: string): string => host.toLowerCase().replace(/\.$/, '');

/** The `p=` of a DKIM key record: a list of tags in any order, with any white space (RFC 6376, 3.2 and 3.6.1). */
function publicKeyOf(text: string): string {
  for (const tag of text.split(';')) {
    const separator = tag.indexOf('=');
    if (tag.slice(0, separator).trim() === 'p') return tag.slice(separator + 1).replace(/\s+/g, '');
  }
  return '';
}

/** Version and mechanisms of an SPF record (RFC 7208, 4.5 and 4.6.1); `+` is the default qualifier of a mechanism. */
const spfTerms = (text: string): string[] =>
  text
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .map((term) => term.replace(/^\+/, ''));

/** The terms that a record must contain to match: the version and Postrider's mechanism, not the ending. */
const spfTermOf = (value: string): string[] => spfTerms(value).slice(0, 2);
