import { asDocument } from './html-document.ts';
import type { MessageContent } from './message-content.ts';
import { encodedLength } from './mime-frame.ts';
import { htmlToText } from './plain-text.ts';
import { encodeQuotedPrintable } from './quoted-printable.ts';
import { bodySources } from './text-body.ts';

/** A generous allowance for headers, boundaries, footer, pixel and signature. */
const FRAME_BYTES = 8_192;
const ATTACHMENT_HEADER_BYTES = 1_024;

/**
 * The size in bytes of a message of this content on the wire, before its values are filled in: body and text as
 * encoded, attachments in base64, headers and later additions.
 */
export function estimateMessageSize(content: MessageContent): number {
  const sources = bodySources(content.body, content.literal);
  const info = { language: content.language, title: content.subject };
  const html = asDocument(sources.html, info);
  const text = content.text ?? htmlToText(asDocument(sources.text, info));
  const headers = Object.entries(content.headers).map(([name, value]) => name.length + value.length * 3 + 4);
  const attachments = content.attachments.map(
    (attachment) => encodedLength(attachment.content.length) + ATTACHMENT_HEADER_BYTES,
  );
  const parts = encodeQuotedPrintable(html).length + encodeQuotedPrintable(text).length;
  return FRAME_BYTES + content.subject.length * 3 + parts + sum(headers) + sum(attachments);
}

/** An upper bound of a character's bytes in both parts: UTF-8 and quoted-printable need up to 9 in each. */
const BODY_BYTES_PER_CHARACTER = 18;

/** Whether a message of this content has at most `bytes`. Encodes the body only when the result depends on it. */
export function fitsIntoMessage(content: MessageContent, bytes: number): boolean {
  const most = estimateMessageSize({ ...content, body: '' }) + content.body.length * BODY_BYTES_PER_CHARACTER;
  return most <= bytes || estimateMessageSize(content) <= bytes;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
