import { verify } from 'node:crypto';
import { AppError, type Services } from '../kernel/index.ts';
import { isSnsCertificateAddress } from './sns-address.rules.ts';
import { signingKeyOf } from './sns-certificates.ts';
import { hashOf, type SnsMessage, signedTextOf } from './sns-message.rules.ts';

/**
 * Checks that Amazon SNS signed a message, and that its topic is one of `SNS_TOPIC_ARNS` when that is set. The certificate comes from
 * the address in the message, which must be one of Amazon SNS, over https. A message whose certificate does not exist or is
 * not valid is refused, and a warning is logged.
 *
 * @throws AppError FORBIDDEN; INTERNAL_SERVER_ERROR while the certificate cannot be fetched
 */
export async function verifySnsMessage(
  { config, http, log }: Pick<Services, 'config' | 'http' | 'log'>,
  message: SnsMessage,
): Promise<void> {
  const { Signature: signature, SigningCertURL: url, TopicArn: topic } = message;
  const hash = hashOf(message.SignatureVersion);
  if (!isSignatureForm(signature) || !hash || !url || !isSnsCertificateAddress(url))
    throw forbidden('has no valid signature');
  if (config.snsTopicArns.length > 0 && !config.snsTopicArns.includes(topic ?? ''))
    throw forbidden('is of a topic that SNS_TOPIC_ARNS does not list');
  const key = await signingKeyOf(http, url).catch((error: unknown) => {
    if (error instanceof AppError) throw error;
    log.warn({ err: error, url }, 'a provider notification was refused, because its certificate is missing');
    throw forbidden('has no valid signature');
  });
  if (!verify(hash, Buffer.from(signedTextOf(message)), key, Buffer.from(signature, 'base64')))
    throw forbidden('has no valid signature');
}

/**
 * Whether a text can be a signature at all: base64 of at least 256 bytes, the length of one with RSA of 2,048 bits. Anything else is
 * refused before a certificate is fetched.
 */
const isSignatureForm = (text: string | undefined): text is string =>
  text !== undefined && /^[A-Za-z0-9+/]{342,1400}={0,2}$/.test(text);

const forbidden = (problem: string): AppError => new AppError('FORBIDDEN', `The message ${problem}`);
