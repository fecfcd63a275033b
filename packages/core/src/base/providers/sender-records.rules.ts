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

/** A sender domain, as far as its records depend on it. */
export interface SenderIdentity {
  domain: string;
  /** of the key that signs here */
  selector: string;
  /** base64 of the DER form, as `p=` has it */
  publicKey: string;
  /** of the domain at a provider that signs itself */
  sesTokens: readonly string[];
}

/** Label of the host of envelope senders under each domain. */
export const envelopeLabel = 'bounces';

/** The host of the envelope senders of a domain. */
export const envelopeHostOf = (domain: string): string => `${envelopeLabel}.${domain}`;
