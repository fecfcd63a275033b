import type { Secrets } from '../../base/kernel/secrets.ts';
import { base32, readBase32 } from '../../base/lib/base32.ts';
import { asciiDomain } from './mail-headers.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const BOUNCE_ADDRESS = /^b-([a-z2-7]{26})-([a-z2-7]{10})@bounces\.([^@\s]+)$/;

/** The email and the domain that a return-path names. */
export interface BounceTarget {
  emailId: string;
  domain: string;
}

/**
 * The proof that a message of this email was seen: it is in the return-path and in `X-Postrider-Proof`, and nowhere else, so that the id,
 * which links and webhooks contain too, is not enough to report about an email (behaviour B11.7).
 *
 * @param domain of the sender
 */
export const proofOf = (secrets: Pick<Secrets, 'bounceTag'>, { emailId, domain }: BounceTarget): string =>
  secrets.bounceTag(emailId, nameOf(domain));

/**
 * The return-path of one email: its id and its proof, both in base32.
 *
 * @throws {TypeError} when the id is no uuid
 */
export function bounceAddress({ emailId, domain }: BounceTarget, proof: string): string {
  if (!UUID.test(emailId)) throw new TypeError('A bounce address is made for a uuid.');
  const id = base32(Buffer.from(emailId.replaceAll('-', ''), 'hex'));
  return `b-${id}-${proof}@bounces.${nameOf(domain)}`;
}

/** What a return-path names; null for any other address, and for one whose proof was not made here. */
export function readBounceAddress(
  secrets: Pick<Secrets, 'isBounceTag'>,
  address: string,
): BounceTarget | null {
  const [, id = '', proof = '', domain = ''] = BOUNCE_ADDRESS.exec(address.trim().toLowerCase()) ?? [];
  const bytes = readBase32(id);
  if (bytes?.length !== 16) return null;
  const emailId = bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return secrets.isBounceTag(proof, emailId, nameOf(domain)) ? { emailId, domain } : null;
}

/** Reports name a domain in either form. */
const nameOf = (domain: string): string => asciiDomain(domain).toLowerCase();
