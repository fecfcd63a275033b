import { createHash } from 'node:crypto';
import { addressParser, decodeWords } from 'postal-mime';
import { storable } from '../../base/lib/storable.rules.ts';
import {
  bodyStartOf,
  decodeTransfer,
  type MessagePart,
  type PartLimits,
  partsOf,
  readableFields,
  readParameters,
  textOf,
} from '../message/index.ts';
import { classifyReport, type ReceivedReport, type ReportClass } from './classify-report.rules.ts';
import { originOf, type ReportOrigin } from './report-origin.rules.ts';
import { type ReturnedMessage, returnedMessageOf } from './returned-message.rules.ts';

/** What a received message says, and where it comes from. */
export interface ReadReport extends ReportOrigin {
  /** the same for a message that arrives again: of its Message-ID, or of its content */
  fingerprint: string;
  /** for each of the recipients that were given; null when it leaves nothing */
  results: readonly (ReportClass | null)[];
  /** whether it has a part for programs that says what it is about */
  isFormal: boolean;
  /** the message of ours that it returns */
  returned: ReturnedMessage | null;
  /** what people read of it, for one that is a letter to the postmaster */
  letter: Letter;
  /** it is an email of the platform itself, or has passed more servers than any mail does */
  isLoop: boolean;
}

/** A message as people read it. */
export interface Letter {
  from: string | null;
  subject: string | null;
  /** the beginning of its text */
  text: string;
}

/** Characters of a letter that are kept. */
const letterLength = 2_000;

/** RFC 5321, 6.3: a message with more than 100 Received fields is in a loop. */
const mostHops = 100;

/** A report is read up to these limits, and classified by what was read (behaviour B11.7). */
const limits: PartLimits = { parts: 200, depth: 20, headerBytes: 262_144 };

/**
 * Reads a message sent to the envelope sender of an email (behaviour B11.7). Never throws: what cannot be read says nothing.
 *
 * @param envelopeFrom '' for the null sender
 * @param recipients the addresses of the emails that it was sent about, normalized; '' where it is not known
 */
export function readReport(raw: Buffer, envelopeFrom: string, recipients: readonly string[]): ReadReport {
  const mail = readMail(raw);
  const messageId = mail.headers.get('message-id')?.trim();
  const report = reportOf(mail, envelopeFrom);
  return {
    fingerprint: messageId ? hashOf([messageId]) : contentHash(mail),
    results: classifyReport(report, recipients),
    isFormal: report.deliveryStatus !== null || report.feedbackReport !== null,
    returned: returnedOf(mail),
    letter: letterOf(report),
    isLoop: mail.headers.has('x-postrider-email') || mail.hops > mostHops,
    ...mail.origin,
  };
}

/** Types under which servers and people return a message, or its header (RFC 6522, 2). */
const returnedTypes = new Set([
  'message/rfc822',
  'message/global',
  'text/rfc822-headers',
  'text/rfc822',
  'message/global-headers',
]);

interface Mail {
  message: Buffer;
  parts: readonly MessagePart[];
  /** fields of the header by their names in lower case; of a repeated field the first */
  headers: ReadonlyMap<string, string>;
  /** `Received` fields */
  hops: number;
  origin: ReportOrigin;
}

function readMail(raw: Buffer): Mail {
  const message = withCleanLineEnds(raw);
  const header = message.toString('utf8', 0, Math.min(bodyStartOf(message), limits.headerBytes));
  const fields = readableFields(header.replace(/\r\n\r\n$/, '\r\n'));
  return {
    message,
    parts: partsOf(message, limits),
    headers: new Map(fields.toReversed().map(({ name, value }) => [name, value])),
    hops: fields.filter(({ name }) => name === 'received').length,
    origin: originOf(fields),
  };
}

const textOfLetter = (text: string): string | null =>
  storable(text)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 500)
    .toWellFormed() || null;

const letterOf = ({ from, subject, text }: ReceivedReport): Letter => ({
  from: textOfLetter(from),
  subject: textOfLetter(subject),
  text: storable(text.slice(0, letterLength)).toWellFormed(),
});

/** The first part that is a message of ours, or its header. */
function returnedOf({ message, parts }: Mail): ReturnedMessage | null {
  for (const { type, encoding, bodyStart, end } of parts) {
    if (!returnedTypes.has(type)) continue;
    const body = decodeTransfer(message.subarray(bodyStart, end), encoding);
    const header = body.toString('latin1', 0, Math.min(bodyStartOf(body), limits.headerBytes));
    const found = returnedMessageOf(readableFields(header.replace(/\r\n\r\n$/, '\r\n')));
    if (found) return found;
  }
  return null;
}

/** Some servers end lines with a bare LF. */
const withCleanLineEnds = (raw: Buffer): Buffer =>
  Buffer.from(raw.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1');

function hashOf(contents: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content);
  return hash.digest('hex');
}

/** A hash of what stays the same when a message is delivered again, by other servers at another time. */
function contentHash({ headers, message, parts }: Mail): string {
  const fields = ['from', 'subject', 'date'].map((name) => headers.get(name) ?? '');
  const bodies = parts.map(({ bodyStart, end }) => message.subarray(bodyStart, end));
  return hashOf([JSON.stringify(fields), ...bodies]);
}

function reportOf({ message, parts, headers }: Mail, envelopeFrom: string): ReceivedReport {
  const textOfType = (type: string): string | null => {
    const part = parts.find((each) => each.type === type);
    return part ? textOf(message, part) : null;
  };
  const shown = parts.filter((part) => isShown(part));
  const plain = shown.filter(({ type }) => type === 'text/plain');
  const [html] = shown.filter(({ type }) => type === 'text/html');
  const [author] = addressParser(headers.get('from') ?? '', { flatten: true });
  const text =
    plain.length > 0
      ? plain.map((part) => textOf(message, part)).join('\n')
      : withoutTags(html ? textOf(message, html) : '');
  return {
    envelopeFrom,
    from: author?.address || author?.name || '',
    subject: decodeWords(headers.get('subject') ?? ''),
    reportType: (
      readParameters(headers.get('content-type') ?? '').parameters.get('report-type') ?? ''
    ).toLowerCase(),
    headers,
    deliveryStatus: textOfType('message/delivery-status') ?? textOfType('message/global-delivery-status'),
    feedbackReport: textOfType('message/feedback-report'),
    returnsEmail:
      isOurs(text) || parts.some((part) => returnedTypes.has(part.type) && isOurs(textOf(message, part))),
    text,
  };
}

/** Header fields of our emails, which a report returns. */
const isOurs = (text: string): boolean =>
  /^[>\t ]{0,20}(x-postrider-(email|proof):|return-path: ?<?b-[a-z0-9-]{1,100}@bounces\.)/im.test(
    text.slice(0, 100_000),
  );

/** Not a file: some servers give the notice itself a name. */
const isShown = ({ fields }: MessagePart): boolean => {
  const disposition = fields.find(({ name }) => name === 'content-disposition')?.value ?? '';
  return readParameters(disposition).value !== 'attachment';
};

/** The words of a notice that is HTML only; it is searched for phrases and never shown as HTML. */
const withoutTags = (html: string): string =>
  html
    .slice(0, 100_000)
    .replace(/<[^<>]*>/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
