import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { sha256 } from '../base/kernel/index.ts';

interface Asked {
  challenge: string;
  origin: string;
}

const flags = { present: 0x01, withCredential: 0x40 };

/** A security key in software (WebAuthn level 3): one ES256 credential, and a counter unless it is asked not to count. */
export function createAuthenticator(origin: string, { counts = true } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const credentialId = randomBytes(32);
  const id = credentialId.toString('base64url');
  let counter = 0;

  const clientData = (type: string, asked: Asked) =>
    Buffer.from(
      JSON.stringify({ type, challenge: asked.challenge, origin: asked.origin, crossOrigin: false }),
    );
  const authenticatorData = (bits: number, credential = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(new URL(origin).hostname), Buffer.of(bits), count, credential]);
  };
  const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url'));
  // COSE_Key (RFC 9053, 7.1): kty EC2, alg ES256, curve P-256.
  const coseKey = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]),
  );
  const length = Buffer.alloc(2);
  length.writeUInt16BE(credentialId.length);
  const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey]);

  return {
    /** Answers `navigator.credentials.create()`. */
    create(challenge: string, at = origin) {
      const authData = authenticatorData(flags.present | flags.withCredential, attested);
      const attestation = isoCBOR.encode(
        new Map<string, string | Map<string, string> | Uint8Array>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', Uint8Array.from(authData)],
        ]),
      );
      const clientDataJSON = clientData('webauthn.create', { challenge, origin: at }).toString('base64url');
      const attestationObject = Buffer.from(attestation).toString('base64url');
      return { id, response: { clientDataJSON, attestationObject, transports: ['usb'] } };
    },
    /** Answers `navigator.credentials.get()`. */
    get(challenge: string, at = origin) {
      if (counts) counter += 1;
      const data = authenticatorData(flags.present);
      const client = clientData('webauthn.get', { challenge, origin: at });
      const signed = Buffer.concat([data, sha256(client.toString())]);
      return {
        id,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: createSign('sha256').update(signed).sign(privateKey).toString('base64url'),
        },
      };
    },
    /** Continues as a copy that was made at an earlier count. */
    turnBack() {
      counter = 0;
    },
  };
}
