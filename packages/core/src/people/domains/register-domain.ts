import type { Services } from '../../base/kernel/index.ts';
import { envelopeHostOf } from '../../base/providers/index.ts';

/**
 * Makes a domain known to the provider that signs its messages.
 *
 * @returns the tokens of its DKIM records; none with a transport whose messages are signed here
 */
export const registerDomain = async (
  { senderIdentities }: Pick<Services, 'senderIdentities'>,
  domain: string,
): Promise<string[]> => (senderIdentities ? senderIdentities.register(domain, envelopeHostOf(domain)) : []);
