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
  const starts = new WeakMap<readonly string[], HeaderStart>();
  const startFor = (names: readonly string[]): HeaderStart => {
    const second = Math.floor(Date.now() / 1_000);
    const known = starts.get(names);
    if (known?.second === second) return known;
    const start = headerStart({ algorithm, domain, selector, names, second });
    starts.set(names, start);
    return start;
  };
  return {
    async sign({ headers, bodyHash }) {
      const { text, canonical } = startFor(headers.names);
      const input = `${headers.canonical}${canonical} bh=${bodyHash}; b=`;
      const signature = await signInput(algorithm, Buffer.from(input, 'utf8'), privateKey);
      return `${text}\r\n bh=${bodyHash};\r\n b=${wrap(signature.toString('base64'))}\r\n`;
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

interface HeaderFields {
  readonly algorithm: Algorithm;
  readonly domain: string;
  readonly selector: string;
  readonly names: readonly string[];
  readonly second: number;
}

/** What the headers of one second that sign the same names begin with; the body hash and the signature follow. */
interface HeaderStart {
  readonly second: number;
  readonly text: string;
  readonly canonical: string;
}

function headerStart({ algorithm, domain, selector, names, second }: HeaderFields): HeaderStart {
  const text = [
    `DKIM-Signature: v=1; a=${algorithm}; c=relaxed/relaxed; d=${domain};`,
    ` s=${selector}; t=${second};`,
    ...wrapNames(names),
  ].join('\r\n');
  // The header itself is signed without its CRLF (RFC 6376 3.7).
  return { second, text, canonical: relaxHeader(text).slice(0, -2) };
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

/** Folds base64. A loop, because a pattern with a look-ahead costs more than hashing the body. */
function wrap(base64: string): string {
  let lines = base64.slice(0, 72);
  for (let at = 72; at < base64.length; at += 72) lines += `\r\n ${base64.slice(at, at + 72)}`;
  return lines;
}
