import { isUtf8 } from 'node:buffer';
import { addressParser, decodeWords } from 'postal-mime';
import type { z } from 'zod';
import { type AppError, invalid } from '../../base/kernel/errors.ts';
import { normalizeAddress, normalizeSender } from '../../base/kernel/fields.ts';
import { storable } from '../../base/lib/storable.rules.ts';
import { MAX_SOURCE_LENGTH } from '../../content/templates/language/index.ts';
import { isRemovedField } from '../message/header-names.rules.ts';
import {
  bodyStartOf,
  CannotBeCarried,
  type HeaderField,
  htmlPartOf,
  type MessagePart,
  messageLimits,
  readFields,
  readParts,
  textOf,
  withShortLines,
} from '../message/index.ts';
import { metadataInput, tagsInput } from '../sending/labels.schema.ts';
import { hasCleanLines } from './line-ends.rules.ts';

/** A message that was submitted by SMTP, with what the ledger stores beside it. */
export interface Submission {
  /** the message as it is sent, apart from its `Sender`: without the fields that no message may bring, and with lines that every server carries */
  message: Buffer;
  /** null without a `Sender` that may stay */
  sender: SenderField | null;
  from: { email: string; name: string | null };
  replyTo: string | null;
  subject: string;
  /** with its angle brackets; null when the platform adds one */
  messageId: string | null;
  /** display names of the recipients in its header, by normalised address */
  names: ReadonlyMap<string, string>;
  /** its HTML and plain text as previews show them; null without such a part */
  html: string | null;
  text: string | null;
  hasAttachments: boolean;
  idempotencyKey: string | null;
  isTracked: boolean;
  /** absent without any */
  tags?: readonly string[] | undefined;
  metadata?: Readonly<Record<string, string>> | undefined;
}

const maxNameLength = 200;
const maxSubjectLength = 998;
/** Encoded bytes of a part that previews show; a longer part is sent, but not shown. */
const maxShownBytes = 4 * 1_048_576;

const idempotencyField = 'x-postrider-idempotency-key';
const trackingField = 'x-postrider-tracking';
const tagsField = 'x-postrider-tags';
const metadataField = 'x-postrider-metadata';

/**
 * Reads a submitted message (behaviour B11.8).
 *
 * @throws AppError VALIDATION_ERROR for a message that is not sent as it is: other line ends than CRLF, an unreadable header, no usable sender,
 * more parts than any program writes, a long line that cannot be broken
 */
export function readSubmission(raw: Buffer): Submission {
  if (!hasCleanLines(raw)) throw refused('Lines must end with CRLF, and NUL is not allowed');
  const bodyStart = bodyStartOf(raw);
  const { headerBytes, parts: mostParts, depth } = messageLimits;
  if (bodyStart > headerBytes) throw refused(`The header is larger than ${headerBytes / 1024} KB`);
  const header = raw.subarray(0, bodyStart);
  if (!isUtf8(header)) throw refused('The header is neither ASCII nor UTF-8');
  const given = readFields(header.toString('utf8').replace(/\r\n$/, ''));
  if (!given) throw refused('A line of the header is not a header field');
  const { kept: fields, sender } = senderOfFields(given.filter(({ name }) => !isRemovedField(name)));
  const kept = Buffer.from(`${fields.map(({ text }) => text).join('')}\r\n`, 'utf8');
  const whole = Buffer.concat([kept, raw.subarray(bodyStart)]);
  const valuesOf = (name: string): string[] =>
    given.filter((field) => field.name === name).map(({ value }) => value);
  const read = readParts(whole);
  if (read.isCut)
    throw refused(
      `The message has more than ${mostParts.toLocaleString('en')} parts, parts nested deeper than ${depth}, or a part with a header larger than ${headerBytes / 1024} KB`,
    );
  const message = carried(whole);
  const { parts } = message === whole ? read : readParts(message);
  return {
    message,
    sender: sender === null ? null : { email: sender, ...placeOfSender(message) },
    from: senderOf(valuesOf('from')),
    replyTo: addressesOf(valuesOf('reply-to')).map(({ email }) => email)[0] ?? null,
    subject: storable(decodeWords(valuesOf('subject')[0] ?? '')).slice(0, maxSubjectLength),
    messageId: valuesOf('message-id')[0]?.slice(0, maxSubjectLength) ?? null,
    names: namesOf([...valuesOf('to'), ...valuesOf('cc')]),
    html: shown(message, htmlPartOf(parts)),
    text: shown(
      message,
      parts.find(({ type, isAttachment }) => type === 'text/plain' && !isAttachment),
    ),
    hasAttachments: parts.some(({ isAttachment }) => isAttachment),
    idempotencyKey: valuesOf(idempotencyField).join(', ') || null,
    isTracked: valuesOf(trackingField).some((value) => value.toLowerCase() === 'true'),
    ...labelsOf(valuesOf(tagsField), valuesOf(metadataField)),
  };
}

/** What the message says of its emails, by the rules of a request (behaviour B4.2). */
function labelsOf(
  tags: readonly string[],
  metadata: readonly string[],
): Pick<Submission, 'tags' | 'metadata'> {
  const list = tags.flatMap((value) => decodeWords(value).split(',')).map((tag) => tag.trim());
  const given = list.filter((tag) => tag !== '');
  const [text, ...more] = metadata;
  if (more.length > 0) throw refused('The message has several X-Postrider-Metadata fields');
  return {
    ...(given.length > 0 && { tags: readBy(tagsInput, given, 'X-Postrider-Tags') }),
    ...(text !== undefined && {
      metadata: readBy(metadataInput, jsonIn(decodeWords(text)), 'X-Postrider-Metadata'),
    }),
  };
}

function readBy<Output>(schema: z.ZodType<Output>, given: unknown, field: string): Output {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  throw refused(`${field}: ${read.error.issues[0]?.message ?? 'malformed'}`);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refused('X-Postrider-Metadata is not JSON');
  }
}

/** Where the `Sender` field is, and who it names. */
export interface SenderField {
  email: string;
  start: number;
  end: number;
}

/**
 * A `Sender` that names one address, which may differ from the one in From (RFC 5322 3.6.2), stays. Whether the project may name it is decided
 * by who has the database; every other `Sender` field is removed.
 */
function senderOfFields(fields: readonly HeaderField[]): {
  kept: readonly HeaderField[];
  sender: string | null;
} {
  const [field, ...others] = fields.filter(({ name }) => name === 'sender');
  const [named, ...more] = field ? addressParser(field.value, { flatten: true }) : [];
  const email = normalizeSender(named?.address ?? '');
  if (!field || others.length > 0 || more.length > 0 || email === null)
    return { kept: fields.filter(({ name }) => name !== 'sender'), sender: null };
  return { kept: fields, sender: email };
}

function placeOfSender(message: Buffer): { start: number; end: number } {
  const header = message.toString('utf8', 0, bodyStartOf(message)).replace(/\r\n$/, '');
  let start = 0;
  for (const { name, text } of readFields(header) ?? []) {
    const end = start + Buffer.byteLength(text);
    if (name === 'sender') return { start, end };
    start = end;
  }
  throw new Error('the Sender field is no longer there');
}

function carried(message: Buffer): Buffer {
  try {
    return withShortLines(message);
  } catch (error) {
    throw error instanceof CannotBeCarried ? refused(error.message) : error;
  }
}

export const refused = (message: string): AppError =>
  invalid([{ field: 'message', code: 'custom', message }]);

/** RFC 5322 3.6.2 allows several authors; here one address decides which domain signs. */
function senderOf(values: readonly string[]): Submission['from'] {
  const [sender, ...others] = values.flatMap((value) => addressParser(value, { flatten: true }));
  const email = normalizeSender(sender?.address ?? '');
  if (values.length !== 1 || others.length > 0 || email === null)
    throw refused('The message must have one From field with one address');
  return { email, name: nameOf(sender?.name) };
}

const nameOf = (name: string | undefined): string | null =>
  storable(name ?? '')
    .trim()
    .slice(0, maxNameLength) || null;

const addressesOf = (values: readonly string[]): { email: string; name: string | null }[] =>
  values
    .flatMap((value) => addressParser(value, { flatten: true }))
    .flatMap(({ address, name }) => {
      const email = normalizeAddress(address ?? '');
      return email === null ? [] : [{ email, name: nameOf(name) }];
    });

/** A program that has no name for an address often repeats the address. */
const namesOf = (values: readonly string[]): Map<string, string> =>
  new Map(
    addressesOf(values).flatMap(({ email, name }): [string, string][] =>
      name === null || normalizeAddress(name) === email ? [] : [[email, name]],
    ),
  );

function shown(message: Buffer, part: MessagePart | null | undefined): string | null {
  if (!part || part.end - part.bodyStart > maxShownBytes) return null;
  return storable(textOf(message, part)).slice(0, MAX_SOURCE_LENGTH);
}
