import { randomBytes } from 'node:crypto';
import { type Secrets, sha256 } from './secrets.ts';

export type KeyType = 'public' | 'secret';

/** Whether the email of a project leaves (behaviour B15.9). */
export type ProjectEnvironment = 'LIVE' | 'TEST';

const prefixes = { public: 'pk_', secret: 'sk_' } as const satisfies Record<KeyType, string>;
/** What follows the prefix in keys of test projects. */
const testMark = 'test_';
const keyPattern = /^([ps])k_(?:test_)?[0-9a-f]{64}$/;

/** The kind of key by its form, or null for anything else (behaviour B5.1). */
export function keyTypeOf(key: string): KeyType | null {
  const letter = keyPattern.exec(key)?.[1];
  if (letter === undefined) return null;
  return letter === 'p' ? 'public' : 'secret';
}

export const newKey = (type: KeyType, environment: ProjectEnvironment): string =>
  prefixes[type] + (environment === 'TEST' ? testMark : '') + randomBytes(32).toString('hex');

/** The part of a key that identifies it to people: its prefix and 8 digits. */
export const keyPrefix = (key: string): string => key.slice(0, key.lastIndexOf('_') + 9);

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
export const newKeys = (
  secrets: Secrets,
  project: { id: string; environment: ProjectEnvironment },
): KeyColumns =>
  keyColumns(secrets, project.id, {
    publicKey: newKey('public', project.environment),
    secretKey: newKey('secret', project.environment),
  });

/** The columns of these keys of a project. */
export function keyColumns(
  secrets: Secrets,
  projectId: string,
  { publicKey, secretKey }: { publicKey: string; secretKey: string },
): KeyColumns {
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
