import { hash, type KeyObject, sign as signWithKey } from 'node:crypto';
import { relaxHeader, type SignedHeaders } from './signed-headers.ts';

/** The domain and key of a signature. */
export interface DkimKey {
  /** The signing domain (`d=`), in ASCII. */
  readonly domain: string;
  readonly selector: string;
  /** An RSA or Ed25519 private key, parsed once: parsing PEM costs more than signing. */
  readonly privateKey: KeyObject;
}

export interface DkimSigner {
  /** Returns the DKIM-Signature header with its CRLF, to be prepended to the message. */
  sign(message: SignableMessage): Promise<string>;
}

/** A message in canonical form. */
export interface SignableMessage {
  readonly headers: SignedHeaders;
  /** The SHA-256 hash of the canonical body in base64. */
  readonly bodyHash: string;
}

/**
 * Signs messages by RFC 6376 (rsa-sha256) or RFC 8463 (ed25519-sha256), relaxed/relaxed. The costly part runs on the
 * thread pool.
 * @throws {TypeError} for keys of other types.
 */
export function createDkimSigner({ domain, selector, privateKey }: DkimKey): DkimSigner {
  const algorithm = algorithmOf(privateKey);
  return {
    async sign({ headers, bodyHash }) {
      const unsigned = signatureHeader({ algorithm, domain, selector, names: headers.names, bodyHash });
      // The header itself is the only field without its CRLF (RFC 6376 3.7).
      const input = headers.canonical + relaxHeader(unsigned).slice(0, -2);
      const signature = await signInput(algorithm, Buffer.from(input, 'utf8'), privateKey);
      return `${unsigned}${wrap(signature.toString('base64'))}\r\n`;
    },
  };
}

type Algorithm = 'rsa-sha256' | 'ed25519-sha256';

function algorithmOf(key: KeyObject): Algorithm {
  if (key.type === 'private' && key.asymmetricKeyType === 'rsa') return 'rsa-sha256';
  if (key.type === 'private' && key.asymmetricKeyType === 'ed25519') return 'ed25519-sha256';
  throw new TypeError('DKIM signs with an RSA or an Ed25519 private key.');
}

/** RFC 8463 3: Ed25519 signs the SHA-256 hash of the input that RSA hashes itself. */
function signInput(algorithm: Algorithm, input: Buffer, key: KeyObject): Promise<Buffer> {
  const isRsa = algorithm === 'rsa-sha256';
  const data = isRsa ? input : hash('sha256', input, 'buffer');
  return new Promise((resolve, reject) => {
    signWithKey(isRsa ? 'sha256' : null, data, key, (error, signature) => {
      if (error) reject(error);
      else resolve(signature);
    });
  });
}

interface SignatureFields {
  readonly algorithm: Algorithm;
  readonly domain: string;
  readonly selector: string;
  readonly names: readonly string[];
  readonly bodyHash: string;
}

/** The header up to and including `b=`; the value of `b=` is not part of the signed input. */
function signatureHeader({ algorithm, domain, selector, names, bodyHash }: SignatureFields): string {
  return [
    `DKIM-Signature: v=1; a=${algorithm}; c=relaxed/relaxed; d=${domain};`,
    ` s=${selector}; t=${Math.floor(Date.now() / 1_000)};`,
    ...wrapNames(names),
    ` bh=${bodyHash};`,
    ' b=',
  ].join('\r\n');
}

/** The list of names, folded after its colons. */
function wrapNames(names: readonly string[]): string[] {
  const lines: string[] = [];
  let line = ' h=';
  names.forEach((name, index) => {
    const part = index === names.length - 1 ? `${name};` : `${name}:`;
    if (line.length + part.length > 74) {
      lines.push(line);
      line = ' ';
    }
    line += part;
  });
  return [...lines, line];
}

function wrap(base64: string): string {
  return base64.replace(/.{72}(?=.)/g, '$&\r\n ');
}
