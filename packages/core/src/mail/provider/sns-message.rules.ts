import { storable } from '../../base/lib/storable.rules.ts';

/** The envelope of a message of Amazon SNS over HTTP. Fields that are missing, or no text, are undefined. */
export interface SnsMessage {
  Type?: string | undefined;
  MessageId?: string | undefined;
  TopicArn?: string | undefined;
  Subject?: string | undefined;
  Message?: string | undefined;
  Timestamp?: string | undefined;
  Token?: string | undefined;
  SubscribeURL?: string | undefined;
  SignatureVersion?: string | undefined;
  Signature?: string | undefined;
  SigningCertURL?: string | undefined;
}

const fields = [
  'Type',
  'MessageId',
  'TopicArn',
  'Subject',
  'Message',
  'Timestamp',
  'Token',
  'SubscribeURL',
  'SignatureVersion',
  'Signature',
  'SigningCertURL',
] as const satisfies readonly (keyof SnsMessage)[];

/** Reads the body of a request; null when it is not a JSON object, or has texts that cannot be stored. */
export function parseSnsMessage(body: string): SnsMessage | null {
  const value = parseJson(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const given = new Map(Object.entries(value));
  const message: SnsMessage = {};
  for (const field of fields) {
    const text: unknown = given.get(field);
    if (typeof text !== 'string') continue;
    if (storable(text) !== text) return null;
    message[field] = text;
  }
  return message;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const signedOfNotification = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'] as const;
const signedOfConfirmation = [
  'Message',
  'MessageId',
  'SubscribeURL',
  'Timestamp',
  'Token',
  'TopicArn',
  'Type',
] as const;

/** The text that Amazon SNS signs: the names and values of these fields, a line each, as far as the message has them. */
export function signedTextOf(message: SnsMessage): string {
  const isConfirmation =
    message.Type === 'SubscriptionConfirmation' || message.Type === 'UnsubscribeConfirmation';
  return (isConfirmation ? signedOfConfirmation : signedOfNotification)
    .filter((field) => message[field] !== undefined)
    .map((field) => `${field}\n${message[field]}\n`)
    .join('');
}

/** The hash of a signature version (RSASSA-PKCS1-v1_5); null for a version that does not exist. */
export function hashOf(version: string | undefined): 'sha1' | 'sha256' | null {
  if (version === '1') return 'sha1';
  return version === '2' ? 'sha256' : null;
}
