import { asDocument } from './html-document.ts';
import type { MessageContent } from './message-content.ts';
import { encodedLength } from './mime-frame.ts';
import { htmlToText } from './plain-text.ts';
import { encodeQuotedPrintable } from './quoted-printable.ts';

/** Headers, boundaries, footer, pixel and signature, generously. */
const FRAME_BYTES = 8_192;
const ATTACHMENT_HEADER_BYTES = 1_024;

/**
 * The size in bytes that a message of this content will have on the wire, before its values are filled in: body and
 * text as encoded, attachments in base64, headers and what is added on the way.
 */
export function estimateMessageSize(content: MessageContent): number {
  const html = asDocument(content.body);
  const headers = Object.entries(content.headers).map(([name, value]) => name.length + value.length * 3 + 4);
  const attachments = content.attachments.map(
    (attachment) => encodedLength(attachment.content.length) + ATTACHMENT_HEADER_BYTES,
  );
  const parts = encodeQuotedPrintable(html).length + encodeQuotedPrintable(htmlToText(html)).length;
  return FRAME_BYTES + content.subject.length * 3 + parts + sum(headers) + sum(attachments);
}

/** More bytes than a character of a body can take in both parts: UTF-8 and quoted-printable make it up to 9 in each. */
const BODY_BYTES_PER_CHARACTER = 18;

/** Whether a message of this content has at most `bytes`. The body is encoded for it only where that can make a difference. */
export function fitsIntoMessage(content: MessageContent, bytes: number): boolean {
  const most = estimateMessageSize({ ...content, body: '' }) + content.body.length * BODY_BYTES_PER_CHARACTER;
  return most <= bytes || estimateMessageSize(content) <= bytes;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
