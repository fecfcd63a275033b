import type { KeyObject } from 'node:crypto';
import type { Services } from '../kernel/index.ts';
import { dkimAlgorithm, openDomainKey } from './domain-key.ts';
import { findSigningKeys } from './domains.store.ts';

/** What a message of a domain is signed with (RFC 6376). */
export interface SigningKey {
  domain: string;
  selector: string;
  privateKey: KeyObject;
}

/** The signing keys of these domains by domain id; domains that are gone, or have no key for signing, are missing. */
export async function loadSigningKeys(
  services: Services,
  domainIds: readonly string[],
): Promise<Map<string, SigningKey>> {
  const rows = await findSigningKeys(services.database, domainIds);
  return new Map(
    rows
      .filter(({ algorithm }) => algorithm === dkimAlgorithm)
      .map(({ id, domain, selector, privateCipher }) => [
        id,
        { domain, selector, privateKey: openDomainKey(services.secrets, privateCipher) },
      ]),
  );
}
