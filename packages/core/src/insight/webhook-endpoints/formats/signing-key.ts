import { createECDH, createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { WebhookFormat } from './format-types.rules.ts';

/** The number of points of P-256 (SEC 2, 2.4.2). */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const label = 'postrider webhook signing key P-256';

/**
 * The key that signs the requests of an endpoint in the format SENDGRID, made from its secret, so that there is one thing to keep and to
 * rotate. The number is taken from 48 bytes, so that each key is equally likely (FIPS 186-5, A.2.1).
 */
export function signingKeyOf(secret: string): KeyObject {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', label, 48));
  const number = (BigInt(`0x${bytes.toString('hex')}`) % (order - 1n)) + 1n;
  const d = Buffer.from(number.toString(16).padStart(64, '0'), 'hex');
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(d);
  // 0x04 and both coordinates (SEC 1, 2.3.3).
  const point = ecdh.getPublicKey();
  return createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      d: d.toString('base64url'),
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
}

/** As the service shows it, base64 of the SubjectPublicKeyInfo (RFC 5280, 4.1); null in formats that have none. */
export const publicKeyIn = (format: WebhookFormat, secret: string): string | null =>
  format === 'SENDGRID'
    ? createPublicKey(signingKeyOf(secret)).export({ format: 'der', type: 'spki' }).toString('base64')
    : null;
