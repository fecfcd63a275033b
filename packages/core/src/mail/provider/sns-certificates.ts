import { type KeyObject, X509Certificate } from 'node:crypto';
import { AppError, type OutgoingHttp } from '../../base/kernel/index.ts';
import { RecentMap } from '../../base/lib/index.ts';

const timeoutMs = 5_000;
/** A certificate has about 2,000 characters; the file may hold the chain as well. */
const longestFile = 20_000;
/** A key is fetched again after this time, and only a few are kept: those of the 20 certificates used last, or more. */
const keptForMs = 24 * 60 * 60_000;
const keptKeys = 40;

interface Kept {
  key: Promise<KeyObject>;
  until: number;
}

/** One cache for each client that fetches certificates, which means one per process. */
const caches = new WeakMap<OutgoingHttp, RecentMap<string, Kept>>();

/**
 * The public key of a signing certificate, fetched once for all messages that arrive meanwhile and then kept.
 *
 * @param url an address of Amazon SNS; no redirect is followed, so that the answer comes from there
 * @throws AppError INTERNAL_SERVER_ERROR when the file cannot be fetched at the moment, so that the sender repeats the message
 * @throws Error when there is no such file, or it is not a certificate that is valid now
 */
export function signingKeyOf(http: OutgoingHttp, url: string, now = Date.now()): Promise<KeyObject> {
  const cache = caches.get(http) ?? new RecentMap<string, Kept>(keptKeys);
  caches.set(http, cache);
  const kept = cache.get(url);
  if (kept && kept.until > now) return kept.key;
  const key = fetchKey(http, url, now);
  cache.set(url, { key, until: now + keptForMs });
  key.catch(() => {
    if (cache.get(url)?.key === key) cache.delete(url);
  });
  return key;
}

async function fetchKey(http: OutgoingHttp, url: string, now: number): Promise<KeyObject> {
  const ask = () =>
    http.send({
      method: 'GET',
      url,
      body: null,
      headersFor: () => ({}),
      timeoutMs,
      maxResponseLength: longestFile,
      maxRedirects: 0,
    });
  let answer = await ask();
  if (answer.kind === 'failed') answer = await ask();
  if (answer.kind === 'refused') throw new Error(`the signing certificate was not fetched: ${answer.reason}`);
  if (answer.kind === 'failed' || answer.status >= 500) throw unavailable();
  if (answer.status !== 200) throw new Error(`the signing certificate was answered with ${answer.status}`);
  return keyOf(answer.body, now);
}

const unavailable = (): AppError =>
  new AppError('INTERNAL_SERVER_ERROR', 'The signing certificate cannot be fetched at the moment');

const certificateBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The first certificate of the file signs; any further ones must each have issued the one before (RFC 5246, 7.4.2). */
function keyOf(file: string, now: number): KeyObject {
  const chain = (file.match(certificateBlock) ?? []).map((block) => new X509Certificate(block));
  const [certificate] = chain;
  if (!certificate) throw new Error('the file of the signing certificate has no certificate');
  for (const [index, each] of chain.entries()) {
    if (now < each.validFromDate.getTime() || now > each.validToDate.getTime())
      throw new Error('the signing certificate is not valid at this time');
    const issuer = chain[index + 1];
    if (issuer && !(each.checkIssued(issuer) && each.verify(issuer.publicKey)))
      throw new Error('the chain of the signing certificate is broken');
  }
  if (certificate.publicKey.asymmetricKeyType !== 'rsa')
    throw new Error('the signing certificate has no RSA key');
  return certificate.publicKey;
}
