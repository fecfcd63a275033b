import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** A certificate and its key, made for a test. */
export interface TestCertificate {
  pem: string;
  privateKey: KeyObject;
  name: string;
}

export interface CertificateOptions {
  /** common name of the subject */
  name: string;
  /** host names that it is valid for as a server */
  hosts?: string[];
  notBefore?: Date;
  notAfter?: Date;
  /** default: it signs itself */
  issuer?: TestCertificate;
}

const day = 24 * 60 * 60_000;

/** Makes an RSA-2048 certificate by writing its DER form (RFC 5280, 4.1), which Node cannot do itself. */
export function makeCertificate({
  name,
  hosts = [],
  notBefore = new Date(Date.now() - day),
  notAfter = new Date(Date.now() + day),
  issuer,
}: CertificateOptions): TestCertificate {
  const { publicKey, privateKey: pem } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const privateKey = createPrivateKey(pem);
  const hostNames = hosts.map((host) => der(0x82, Buffer.from(host)));
  const extensions = [
    extension('2.5.29.19', sequence(der(0x01, Buffer.of(0xff)))),
    ...(hosts.length > 0 ? [extension('2.5.29.17', sequence(...hostNames))] : []),
  ];
  const body = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    sha256WithRsa,
    nameOf(issuer?.name ?? name),
    sequence(time(notBefore), time(notAfter)),
    nameOf(name),
    publicKey,
    der(0xa3, sequence(...extensions)),
  );
  const signature = sign('sha256', body, issuer?.privateKey ?? privateKey);
  const certificate = sequence(body, sha256WithRsa, der(0x03, Buffer.of(0), signature));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    pem: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
    privateKey,
    name,
  };
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content]);
  if (length < 0x100) return Buffer.concat([Buffer.of(tag, 0x81, length), content]);
  return Buffer.concat([Buffer.of(tag, 0x82, length >> 8, length & 0xff), content]);
}

const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = rest.flatMap((number) => {
    const digits = [number & 0x7f];
    for (let left = number >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
    return digits;
  });
  return der(0x06, Buffer.from([first * 40 + second, ...bytes]));
}

const sha256WithRsa = sequence(oid('1.2.840.113549.1.1.11'), der(0x05));
const nameOf = (name: string): Buffer =>
  sequence(der(0x31, sequence(oid('2.5.4.3'), der(0x0c, Buffer.from(name)))));
const extension = (id: string, value: Buffer): Buffer => sequence(oid(id), der(0x04, value));
/** GeneralizedTime: YYYYMMDDHHMMSSZ */
const time = (at: Date): Buffer => der(0x18, Buffer.from(at.toISOString().replace(/[-:T]|\.\d{3}/g, '')));
