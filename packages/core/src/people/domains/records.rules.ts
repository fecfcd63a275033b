/** A DNS record that the owner of a domain creates (behaviour B2.10). */
export interface DnsRecord {
  type: 'TXT' | 'CNAME' | 'MX';
  /** the full host name */
  name: string;
  value: string;
  priority?: number;
  purpose: 'DKIM' | 'SPF' | 'MX' | 'DMARC';
  /** only the required ones decide whether the domain is verified */
  required: boolean;
}

export interface SigningIdentity {
  domain: string;
  selector: string;
  /** base64 of the DER form, as `p=` has it */
  publicKey: string;
  sesTokens: readonly string[];
}

export interface MailSettings {
  MAIL_TRANSPORT: 'smtp' | 'ses';
  MAIL_HOST: string;
  AWS_REGION?: string | undefined;
}

/** The host of the envelope senders of a domain. */
export const envelopeHostOf = (domain: string): string => `bounces.${domain}`;

/** The records of a domain for the configured transport. */
export const recordsOf = (identity: SigningIdentity, settings: MailSettings): DnsRecord[] => [
  ...(settings.MAIL_TRANSPORT === 'ses' ? sesRecords(identity, settings) : smtpRecords(identity, settings)),
  {
    type: 'TXT',
    name: `_dmarc.${identity.domain}`,
    value: 'v=DMARC1; p=none',
    purpose: 'DMARC',
    required: false,
  },
];

function smtpRecords(
  { domain, selector, publicKey }: SigningIdentity,
  { MAIL_HOST }: MailSettings,
): DnsRecord[] {
  const name = `${selector}._domainkey.${domain}`;
  const dkim: DnsRecord = {
    type: 'TXT',
    name,
    value: `v=DKIM1; k=rsa; p=${publicKey}`,
    purpose: 'DKIM',
    required: true,
  };
  if (MAIL_HOST === 'localhost' || isAddress(MAIL_HOST)) return [dkim];
  const bounces = envelopeHostOf(domain);
  return [
    dkim,
    { type: 'TXT', name: bounces, value: `v=spf1 a:${MAIL_HOST} ~all`, purpose: 'SPF', required: false },
    { type: 'MX', name: bounces, value: MAIL_HOST, priority: 10, purpose: 'MX', required: false },
  ];
}

function sesRecords({ domain, sesTokens }: SigningIdentity, { AWS_REGION }: MailSettings): DnsRecord[] {
  const bounces = envelopeHostOf(domain);
  const feedback = `feedback-smtp.${AWS_REGION ?? 'us-east-1'}.amazonses.com`;
  return [
    ...sesTokens.map(
      (token): DnsRecord => ({
        type: 'CNAME',
        name: `${token}._domainkey.${domain}`,
        value: `${token}.dkim.amazonses.com`,
        purpose: 'DKIM',
        required: true,
      }),
    ),
    { type: 'MX', name: bounces, value: feedback, priority: 10, purpose: 'MX', required: false },
    {
      type: 'TXT',
      name: bounces,
      value: 'v=spf1 include:amazonses.com ~all',
      purpose: 'SPF',
      required: false,
    },
  ];
}

const isAddress = (host: string): boolean => host.includes(':') || /^\d+(\.\d+){3}$/.test(host);

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
