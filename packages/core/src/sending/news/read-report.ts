import { createHash } from 'node:crypto';
import PostalMime, { type Email } from 'postal-mime';
import { classifyReport, type ReceivedReport, type ReportClass } from './classify-report.rules.ts';

/** What a received message says. */
export interface ReadReport {
  /** the same for a message that arrives again: of its Message-ID, or of its content */
  fingerprint: string;
  /** null when it leaves nothing */
  result: ReportClass | null;
  /** it is an email of the platform itself, or has passed more servers than any mail does */
  isLoop: boolean;
}

/** RFC 5321, 6.3: a message with more than 100 Received fields is in a loop. */
const mostHops = 100;

/** Limits of parts in parts, so that a message made for it does not occupy the process. */
const limits = { maxNestingDepth: 20, maxHeadersSize: 256 * 1_024 };

/**
 * Reads a message sent to the envelope sender of an email (behaviour B11.7). Never throws: a message that cannot be parsed is unknown.
 *
 * @param envelopeFrom '' for the null sender
 */
export async function readReport(raw: Buffer, envelopeFrom: string): Promise<ReadReport> {
  const mail = await PostalMime.parse(raw, {
    ...limits,
    forceRfc822Attachments: true,
    attachmentEncoding: 'utf8',
  }).catch(() => null);
  if (!mail) {
    const result: ReportClass = { kind: 'unknown', detail: 'The message could not be read' };
    return { fingerprint: hashOf(raw), result, isLoop: false };
  }
  const messageId = mail.messageId?.trim();
  return {
    fingerprint: hashOf(messageId || contentOf(mail)),
    result: classifyReport(reportOf(mail, envelopeFrom)),
    isLoop:
      mail.headers.some(({ key }) => key === 'x-postrider-email') ||
      mail.headers.filter(({ key }) => key === 'received').length > mostHops,
  };
}

const hashOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** What stays the same when a message is delivered again, by other servers at another time. */
const contentOf = ({ from, subject, date, text, html, attachments }: Email): string =>
  JSON.stringify([from, subject, date, text, html, attachments.map(({ content }) => content)]);

function reportOf(mail: Email, envelopeFrom: string): ReceivedReport {
  const headers = new Map(mail.headers.toReversed().map(({ key, value }) => [key, value]));
  return {
    envelopeFrom,
    from: mail.from?.address ?? '',
    subject: mail.subject ?? '',
    contentType: (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
    headers,
    deliveryStatus: partOf(mail, 'message/delivery-status') ?? partOf(mail, 'message/global-delivery-status'),
    feedbackReport: partOf(mail, 'message/feedback-report'),
    text: mail.text ?? withoutTags(mail.html ?? ''),
  };
}

function partOf({ attachments }: Email, type: string): string | null {
  const part = attachments.find(({ mimeType }) => mimeType === type);
  return typeof part?.content === 'string' ? part.content : null;
}

/** The words of a notice that is HTML only; it is searched for phrases and never shown as HTML. */
const withoutTags = (html: string): string =>
  html
    .slice(0, 100_000)
    .replace(/<[^<>]*>/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
