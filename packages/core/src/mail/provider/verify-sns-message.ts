import { verify } from 'node:crypto';
import { AppError, type Services } from '../../base/kernel/index.ts';
import { isSnsCertificateAddress } from './sns-address.rules.ts';
import { signingKeyOf } from './sns-certificates.ts';
import { hashOf, type SnsMessage, signedTextOf } from './sns-message.rules.ts';

/** SNS repeats a message for hours at most; what is older was kept by somebody. */
const oldestMs = 14 * 86_400_000;
/** How far the clock of this machine may be behind. */
const aheadMs = 15 * 60_000;

/**
 * Checks that Amazon SNS signed a message, that its topic is one of `SNS_TOPIC_ARNS`, and that it is of the last 14 days. Every AWS
 * account can have a topic whose messages Amazon SNS signs, so a signature alone proves nothing. The certificate comes from the
 * address in the message, which must be one of Amazon SNS, over https. A message whose certificate does not exist or is not
 * valid is refused, and a warning is logged, as for a topic that is not listed.
 *
 * @throws AppError FORBIDDEN; INTERNAL_SERVER_ERROR while the certificate cannot be fetched
 */
export async function verifySnsMessage(
  { config, http, log }: Pick<Services, 'config' | 'http' | 'log'>,
  message: SnsMessage,
  now = Date.now(),
): Promise<void> {
  const { Signature: signature, SigningCertURL: url, TopicArn: topic } = message;
  const hash = hashOf(message.SignatureVersion);
  if (!isSignatureForm(signature) || !hash || !url || !isSnsCertificateAddress(url))
    throw forbidden('has no valid signature');
  const key = await signingKeyOf(http, url).catch((error: unknown) => {
    if (error instanceof AppError) throw error;
    log.warn({ err: error, url }, 'a provider notification was refused, because its certificate is missing');
    throw forbidden('has no valid signature');
  });
  if (!verify(hash, Buffer.from(signedTextOf(message)), key, Buffer.from(signature, 'base64')))
    throw forbidden('has no valid signature');
  if (!config.snsTopicArns.includes(topic ?? '')) {
    log.warn({ topic }, 'unknown topic');
    throw forbidden('is of a topic that SNS_TOPIC_ARNS does not list');
  }
  const age = now - Date.parse(message.Timestamp ?? '');
  if (!(age <= oldestMs && age >= -aheadMs)) throw forbidden('is older than 14 days or of the future');
}

/**
 * Whether a text can be a signature at all: base64 of at least 256 bytes, the length of one with RSA of 2,048 bits. Anything else is
 * refused before a certificate is fetched.
 */
const isSignatureForm = (text: string | undefined): text is string =>
  text !== undefined && /^[A-Za-z0-9+/]{342,1400}={0,2}$/.test(text);

const forbidden = (problem: string): AppError => new AppError('FORBIDDEN', `The message ${problem}`);
