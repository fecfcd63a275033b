import type { KeyObject } from 'node:crypto';
import type { Services } from '../../base/kernel/index.ts';
import { envelopeHostOf } from '../../base/providers/index.ts';
import { recordKey } from './check-records.ts';
import { dkimAlgorithm, openDomainKey } from './domain-key.ts';
import { findSigningKeys } from './domains.store.ts';

/** The key that signs messages of a domain (RFC 6376). */
export interface SigningKey {
  domain: string;
  selector: string;
  privateKey: KeyObject;
  /** the MX record of `bounces.<domain>` was found, so that bounces can be received there (behaviour B2.10) */
  receivesBounces: boolean;
}

/** The signing keys of these domains by domain id; deleted domains, and those without a signing key, are missing. */
export async function loadSigningKeys(
  services: Services,
  domainIds: readonly string[],
): Promise<Map<string, SigningKey>> {
  const rows = await findSigningKeys(services.database, domainIds);
  return new Map(
    rows
      .filter(({ algorithm }) => algorithm === dkimAlgorithm)
      .map(({ id, domain, selector, recordsFound, ...key }) => [
        id,
        {
          domain,
          selector,
          privateKey: openDomainKey(services.secrets, key),
          receivesBounces: recordsFound[recordKey({ type: 'MX', name: envelopeHostOf(domain) })] === true,
        },
      ]),
  );
}
