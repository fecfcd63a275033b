import { createHash, type KeyObject, sign as signWithKey } from 'node:crypto';

/** The domain and key of a signature. */
export interface DkimKey {
  /** The signing domain (`d=`), in ASCII. */
  readonly domain: string;
  readonly selector: string;
  /** An RSA or Ed25519 private key, parsed once: parsing PEM costs more than signing. */
  readonly privateKey: KeyObject;
}

export interface DkimSigner {
  /** Returns the DKIM-Signature header with its CRLF, to be prepended to a complete message with CRLF line ends. */
  sign(mime: Buffer): Promise<Buffer>;
}

/** Signed when present. From is signed once more than it occurs, so that a second From invalidates the signature (RFC 6376 5.4.2). */
const SIGNED_HEADERS = [
  'from',
  'to',
  'cc',
  'reply-to',
  'subject',
  'date',
  'message-id',
  'in-reply-to',
  'references',
  'mime-version',
  'content-type',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'precedence',
  'auto-submitted',
];

/**
 * Signs messages by RFC 6376 (rsa-sha256) or RFC 8463 (ed25519-sha256), relaxed/relaxed. The costly part runs on the
 * thread pool.
 * @throws {TypeError} for keys of other types.
 */
export function createDkimSigner({ domain, selector, privateKey }: DkimKey): DkimSigner {
  const algorithm = algorithmOf(privateKey);
  return {
    async sign(mime) {
      const end = mime.indexOf('\r\n\r\n');
      if (end === -1) throw new TypeError('A message without an end of its headers cannot be signed.');
      const headers = readHeaders(mime.toString('latin1', 0, end + 2));
      const bodyHash = createHash('sha256')
        .update(relaxBody(mime.subarray(end + 4)))
        .digest('base64');
      const signed = SIGNED_HEADERS.flatMap((name) => headers.filter((header) => header.name === name));
      const names = [...signed.map((header) => header.name), 'from'];
      const unsigned = signatureHeader({ algorithm, domain, selector, names, bodyHash });
      // Fields of one name are taken from the bottom up; each is signed as often as it occurs.
      const input = `${takeFromBottom(signed)}${relaxHeader(unsigned)}`;
      const signature = await signInput(algorithm, Buffer.from(input, 'latin1'), privateKey);
      return Buffer.from(`${unsigned}${wrap(signature.toString('base64'))}\r\n`, 'latin1');
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
  const data = isRsa ? input : createHash('sha256').update(input).digest();
  return new Promise((resolve, reject) => {
    signWithKey(isRsa ? 'sha256' : null, data, key, (error, signature) => {
      if (error) reject(error);
      else resolve(signature);
    });
  });
}

interface HeaderField {
  readonly name: string;
  /** The unchanged field with its folded lines, without the last CRLF. */
  readonly text: string;
}

function readHeaders(block: string): HeaderField[] {
  const fields = block.slice(0, -2).split(/\r\n(?![ \t])/);
  return fields.map((text) => ({ name: text.slice(0, text.indexOf(':')).trim().toLowerCase(), text }));
}

function takeFromBottom(signed: readonly HeaderField[]): string {
  const groups = Map.groupBy(signed, (field) => field.name);
  return signed.map((field) => `${relaxHeader(groups.get(field.name)?.pop()?.text ?? '')}\r\n`).join('');
}

/** RFC 6376 3.4.2: the name in lower case, unfolded, white space runs as one space, none at the ends. */
function relaxHeader(field: string): string {
  const colon = field.indexOf(':');
  const value = field
    .slice(colon + 1)
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim();
  return `${field.slice(0, colon).trim().toLowerCase()}:${value}`;
}

/** RFC 6376 3.4.4: white space runs as one space, none at line ends, no empty lines at the end. */
function relaxBody(body: Buffer): Buffer {
  let canonical = body;
  if (body.includes('  ') || body.includes('\t') || body.includes(' \r\n') || body.at(-1) === 32) {
    const text = body
      .toString('latin1')
      .replace(/[ \t]+/g, ' ')
      .replaceAll(' \r\n', '\r\n');
    canonical = Buffer.from(text.endsWith(' ') ? text.slice(0, -1) : text, 'latin1');
  }
  let end = canonical.length;
  while (end >= 2 && canonical[end - 2] === 13 && canonical[end - 1] === 10) end -= 2;
  if (end === 0) return Buffer.alloc(0);
  const withoutEmptyLines = canonical.subarray(0, Math.min(end + 2, canonical.length));
  return end + 2 <= canonical.length
    ? withoutEmptyLines
    : Buffer.concat([withoutEmptyLines, Buffer.from('\r\n')]);
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
