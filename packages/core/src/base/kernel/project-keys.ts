import { randomBytes } from 'node:crypto';
import { type Secrets, sha256 } from './secrets.ts';

export type KeyType = 'public' | 'secret';

const prefixes = { public: 'pk_', secret: 'sk_' } as const satisfies Record<KeyType, string>;
const keyPattern = /^([ps])k_[0-9a-f]{64}$/;

/** The kind of key by its form, or null for anything else (behaviour B5.1). */
export function keyTypeOf(key: string): KeyType | null {
  const letter = keyPattern.exec(key)?.[1];
  if (letter === undefined) return null;
  return letter === 'p' ? 'public' : 'secret';
}

export const newKey = (type: KeyType): string => prefixes[type] + randomBytes(32).toString('hex');

/** The part of a key that identifies it to people. */
export const keyPrefix = (key: string): string => key.slice(0, 11);

/** How a key is looked up. */
export const keyHash = (key: string): Uint8Array<ArrayBuffer> => Uint8Array.from(sha256(key));

/** Columns of a project that hold its keys: hashed for look-up, encrypted for display. */
export interface KeyColumns {
  publicKeyHash: Uint8Array<ArrayBuffer>;
  publicKeyCipher: string;
  secretKeyHash: Uint8Array<ArrayBuffer>;
  secretKeyCipher: string;
}

/** Creates both keys of a project; they are always replaced together. */
export function newKeys(secrets: Secrets, projectId: string): KeyColumns {
  const publicKey = newKey('public');
  const secretKey = newKey('secret');
  return {
    publicKeyHash: keyHash(publicKey),
    publicKeyCipher: secrets.encrypt(publicKey, 'Project.publicKeyCipher', projectId),
    secretKeyHash: keyHash(secretKey),
    secretKeyCipher: secrets.encrypt(secretKey, 'Project.secretKeyCipher', projectId),
  };
}

/** What receivers of the project's webhooks check signatures with (behaviour B6.6), encrypted. */
export const newWebhookSecret = (secrets: Secrets, projectId: string): string =>
  secrets.encrypt(`whsec_${randomBytes(32).toString('hex')}`, 'Project.webhookSecretCipher', projectId);
