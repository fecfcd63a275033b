import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { base32 } from '../lib/base32.ts';
import { type IdTokenPurpose, IdTokens, idTokenPurposes } from '../lib/id-tokens.ts';
import { RecentMap } from '../lib/recent-map.ts';
import { ShortHmac } from '../lib/short-hmac.ts';
import type { CipherColumn } from './cipher-columns.ts';

type Purpose = 'session' | 'link' | 'encryption' | 'lookup' | 'number';

const setupTokenBytes = 24;

interface Keyring {
  id: string;
  key(purpose: Purpose): KeyObject;
  numberTag(number: number): string;
  bounce: ShortHmac;
  setupToken: string;
  check: string;
  idTokens: Readonly<Record<IdTokenPurpose, IdTokens>>;
}

/** Tells whether a secret is the right one, and nothing of the secret itself. */
export interface SecretCheck {
  /** the id that the ciphertexts and tokens of the secret begin with */
  id: string;
  check: string;
}

/**
 * Operations that need a secret key. One key per purpose is derived from APP_SECRET (HKDF, RFC 5869); ciphertexts and
 * tokens begin with the id of the secret that made them, so that APP_SECRET_PREVIOUS still verifies and decrypts.
 */
export interface Secrets {
  /**
   * AES-256-GCM, bound to its place, so that a ciphertext copied to another row or column does not decrypt there. The
   * result is `<key id>:<base64url>`.
   *
   * @param id of the row
   */
  encrypt(plain: string, column: CipherColumn, id: string): string;
  /**
   * Also decrypts `<key id>.<base64url>`, the form of earlier versions, which is not bound to a place.
   *
   * @throws Error when it was not made with a known secret, was changed, or belongs to another place
   */
  decrypt(cipher: string, column: CipherColumn, id: string): string;
  /** Whether the ciphertext was made with APP_SECRET itself, and is bound to its place. */
  isCurrent(cipher: string): boolean;
  /** A signed compact token over the bytes: `<key id><base64url of payload and a 128-bit MAC>` */
  sign(purpose: 'session' | 'link', payload: Buffer): string;
  /** The payload, or null when the token is invalid, was changed, or was made for another purpose. */
  verify(purpose: 'session' | 'link', token: string): Buffer | null;
  /**
   * Tokens of many ids at once, much cheaper than `sign`.
   *
   * @param columns for each id of a token, that id of all tokens, 16 bytes each
   */
  idTokens(purpose: IdTokenPurpose, columns: readonly Buffer[]): string[];
  /** The bytes of the ids, or null when the token is invalid, was changed, or was made for another purpose. */
  readIdToken(purpose: IdTokenPurpose, token: string): Buffer | null;
  /** A 72-bit MAC of a number, as 12 characters that need no escaping in a URL. */
  numberTag(number: number): string;
  /** Whether the tag of the number was made with the secret that made the token of ids. */
  isNumberTag(tag: string, number: number, token: string): boolean;
  /**
   * The first 50 bits of an HMAC-SHA-256 over an email's id and a domain, as 10 characters of base32 (RFC 4648 6, lower case): who has it,
   * had the message.
   */
  bounceTag(emailId: string, domain: string): string;
  /** Whether the tag was made for this id and domain, also with a previous secret. */
  isBounceTag(tag: string, emailId: string, domain: string): boolean;
  /**
   * Keyed hash of an address, for look-ups that must outlive the address itself (opt-outs, campaign uniqueness). Deleted
   * addresses cannot be hashed again, so the key is that of the oldest secret listed.
   */
  addressHash(projectId: string, address: string): Buffer;
  /** What creates the first account of a closed installation: 32 characters that everybody with APP_SECRET can derive, and nobody else. */
  readonly setupToken: string;
  /** of APP_SECRET and the secrets of APP_SECRET_PREVIOUS, in this order */
  readonly checks: readonly SecretCheck[];
}

const macBytes = 16;
const ivBytes = 12;
const tagBytes = 16;
const keyIdLength = 4;
const numberTagBytes = 9;
/** 50 bits: guessing one takes more messages than any receiver takes. */
const bounceTagLength = 10;
const bounceTagBytes = 7;
/** Numbers whose tags are kept: few emails have as many links. */
const mostNumberTags = 1_000;

/** @param previous newest first */
export function createSecrets(current: string, previous: readonly string[] = []): Secrets {
  const rings = [current, ...previous].map(keyring);
  const [active] = rings;
  const oldest = rings.at(-1);
  if (!active || !oldest) throw new Error('createSecrets needs a secret');
  const ringOf = (id: string): Keyring | undefined => rings.find((ring) => ring.id === id);
  /** The letter of the purpose comes before the id of the secret. */
  const ringOfIdToken = (token: string): Keyring | undefined => ringOf(token.slice(1, keyIdLength + 1));
  const lookupKey = oldest.key('lookup');
  return {
    encrypt(plain, column, id) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', active.key('encryption'), iv);
      cipher.setAAD(placeOf(column, id));
      const sealed = Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${active.id}:${sealed.toString('base64url')}`;
    },
    decrypt(text, column, id) {
      const ring = ringOf(text.slice(0, keyIdLength));
      if (!ring) throw new Error('made with a secret that is in neither APP_SECRET nor APP_SECRET_PREVIOUS');
      const sealed = Buffer.from(text.slice(keyIdLength + 1), 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', ring.key('encryption'), sealed.subarray(0, ivBytes));
      if (text[keyIdLength] === ':') decipher.setAAD(placeOf(column, id));
      decipher.setAuthTag(sealed.subarray(-tagBytes));
      return decipher.update(sealed.subarray(ivBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
    },
    isCurrent: (text) => text.startsWith(`${active.id}:`),
    sign(purpose, payload) {
      return active.id + Buffer.concat([payload, mac(active.key(purpose), payload)]).toString('base64url');
    },
    verify(purpose, token) {
      const ring = ringOf(token.slice(0, keyIdLength));
      if (!ring) return null;
      const encoded = token.slice(keyIdLength);
      const bytes = Buffer.from(encoded, 'base64url');
      // Comparing with the re-encoded form refuses other encodings of the same bytes.
      if (bytes.length <= macBytes || bytes.toString('base64url') !== encoded) return null;
      const payload = bytes.subarray(0, -macBytes);
      return timingSafeEqual(mac(ring.key(purpose), payload), bytes.subarray(-macBytes)) ? payload : null;
    },
    idTokens: (purpose, columns) => active.idTokens[purpose].make(columns),
    readIdToken: (purpose, token) => ringOfIdToken(token)?.idTokens[purpose].read(token) ?? null,
    numberTag: (number) => active.numberTag(number),
    isNumberTag(tag, number, token) {
      const given = Buffer.from(tag);
      const right = Buffer.from(ringOfIdToken(token)?.numberTag(number) ?? '');
      return given.length === right.length && timingSafeEqual(given, right);
    },
    bounceTag: (emailId, domain) => bounceTagOf(active, emailId, domain),
    isBounceTag(tag, emailId, domain) {
      const given = Buffer.from(tag);
      return rings.some((ring) => {
        const right = Buffer.from(bounceTagOf(ring, emailId, domain));
        return given.length === right.length && timingSafeEqual(given, right);
      });
    },
    addressHash(projectId, address) {
      return createHmac('sha256', lookupKey).update(`${projectId}:${address}`).digest().subarray(0, macBytes);
    },
    setupToken: active.setupToken,
    checks: rings.map(({ id, check }) => ({ id, check })),
  };
}

/** SHA-256 for lookups of random values (API keys, mailed tokens), which need no salt. */
export const sha256 = (value: string | Buffer): Buffer => hash('sha256', value, 'buffer');

/** Whether a request has `Authorization: Bearer <token>`. Compared by hash, so that the time does not depend on the characters. */
export const hasBearerToken = (authorization: string | undefined, token: string): boolean =>
  timingSafeEqual(sha256(authorization ?? ''), sha256(`Bearer ${token}`));

const placeOf = (column: CipherColumn, id: string): Buffer => Buffer.from(`${column}:${id}`);

const mac = (key: KeyObject, payload: Buffer): Buffer =>
  createHmac('sha256', key).update(payload).digest().subarray(0, macBytes);

/** The id has a fixed length, so that no other pair has the same text. */
const bounceTagOf = ({ bounce }: Keyring, emailId: string, domain: string): string =>
  base32(Buffer.from(bounce.digest(`${emailId}@${domain}`).slice(0, bounceTagBytes), 'latin1')).slice(
    0,
    bounceTagLength,
  );

function keyring(secret: string): Keyring {
  const derive = (info: string): Buffer => Buffer.from(hkdfSync('sha256', secret, 'postrider', info, 32));
  // A KeyObject made once: given a Buffer, every HMAC would import the key again, which costs ten times the HMAC itself.
  const keys: Record<Purpose, KeyObject> = {
    session: createSecretKey(derive('session')),
    link: createSecretKey(derive('link')),
    encryption: createSecretKey(derive('encryption')),
    lookup: createSecretKey(derive('lookup')),
    number: createSecretKey(derive('number')),
  };
  const id = derive('id').toString('hex').slice(0, keyIdLength);
  const idTokens = Object.fromEntries(
    idTokenPurposes.map((purpose) => [
      purpose,
      new IdTokens(purpose, { keyId: id, key: createSecretKey(derive(`token:${purpose}`)) }),
    ]),
  ) as Record<IdTokenPurpose, IdTokens>;
  const numberTags = new RecentMap<number, string>(mostNumberTags);
  const numberTag = (number: number): string => {
    const known = numberTags.get(number);
    if (known !== undefined) return known;
    const tag = mac(keys.number, Buffer.from(String(number))).toString('base64url', 0, numberTagBytes);
    numberTags.set(number, tag);
    return tag;
  };
  const setupToken = derive('setup').toString('base64url', 0, setupTokenBytes);
  const bounce = new ShortHmac(derive('bounce'));
  const check = derive('check').toString('base64url');
  return { id, key: (purpose) => keys[purpose], idTokens, numberTag, bounce, setupToken, check };
}
