import { createPrivateKey, generateKeyPair, type KeyObject, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { Secrets } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';

const makeKeyPair = promisify(generateKeyPair);

/** The only type of key for signing (RFC 8301, 3.2: at least 2048 bits). */
export const dkimAlgorithm = 'rsa-sha256';

export interface NewDomainKey {
  id: string;
  /** the name of its record below `_domainkey` (RFC 6376, 3.1) */
  selector: string;
  algorithm: string;
  publicKey: string;
  privateCipher: string;
}

/** A key as `findSigningKeys` reads it. */
export interface StoredDomainKey {
  keyId: string;
  privateCipher: string;
}

/** Generates a DKIM key on the thread pool; its private half is unencrypted only here and during signing. */
export async function newDomainKey(secrets: Secrets): Promise<NewDomainKey> {
  const id = newId();
  const { publicKey, privateKey } = await makeKeyPair('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return {
    id,
    selector: `pr${randomBytes(4).toString('hex')}`,
    algorithm: dkimAlgorithm,
    publicKey: publicKey.toString('base64'),
    privateCipher: secrets.encrypt(privateKey, 'DomainKey.privateCipher', id),
  };
}

export const openDomainKey = (secrets: Secrets, { keyId, privateCipher }: StoredDomainKey): KeyObject =>
  createPrivateKey(secrets.decrypt(privateCipher, 'DomainKey.privateCipher', keyId));
