import { readFreeText } from './bounce-phrases.rules.ts';
import { feedbackEffectOf } from './feedback-types.rules.ts';
import type { BounceType } from './news.rules.ts';
import { type Fields, fieldGroups, keywordOf } from './report-fields.rules.ts';

/** The parts of a message to an envelope sender that decide its class. */
export interface ReceivedReport {
  /** of the envelope; '' for the null sender */
  envelopeFrom: string;
  /** of the From header */
  from: string;
  subject: string;
  /** the media type in lower case */
  contentType: string;
  /** fields of the header by their names in lower case */
  headers: ReadonlyMap<string, string>;
  /** the `message/delivery-status` part (RFC 3464) */
  deliveryStatus: string | null;
  /** the `message/feedback-report` part (RFC 5965) */
  feedbackReport: string | null;
  text: string;
}

/** The class of a report, and a text about it for the customer. */
export type ReportClass = { detail: string | null } & (
  | { kind: 'bounce'; bounceType: BounceType }
  | { kind: 'delivered' | 'complaint' | 'opt_out' | 'delay' | 'auto_reply' | 'unknown' }
);

/**
 * Reads a report in the order of behaviour B11.7: delivery status, feedback report, bounce in free text, automatic reply, unknown.
 *
 * @returns null when there is nothing to do: the feedback says that the email is not spam
 */
export function classifyReport(report: ReceivedReport): ReportClass | null {
  if (report.contentType === 'multipart/report') {
    const status = report.deliveryStatus === null ? null : readDeliveryStatus(report.deliveryStatus);
    if (status) return status;
  }
  if (report.feedbackReport !== null) return readFeedback(report.feedbackReport);
  const { subject } = report;
  const freeText = isFromMailServer(report) ? readFreeText(subject, report.text) : null;
  if (freeText) return { ...freeText, detail: detailOf(report) };
  return { kind: isAutomatic(report) ? 'auto_reply' : 'unknown', detail: subject };
}

/** The most final of several: a list may have forwarded the email to several recipients. */
const finality = ['delivered', 'delay', 'Undetermined', 'Transient', 'Permanent'];
const finalityOf = (found: ReportClass): number =>
  finality.indexOf(found.kind === 'bounce' ? found.bounceType : found.kind);

function readDeliveryStatus(text: string): ReportClass | null {
  return fieldGroups(text)
    .map(statusOf)
    .reduce<ReportClass | null>(
      (most, each) => (each && (!most || finalityOf(each) > finalityOf(most)) ? each : most),
      null,
    );
}

/** The fields of one recipient (RFC 3464, 2.3.3 and 2.3.4). */
function statusOf(fields: Fields): ReportClass | null {
  const detail = diagnosisOf(fields);
  switch (keywordOf(fields.get('action'))) {
    case 'failed':
      return { kind: 'bounce', bounceType: bounceTypeOf(fields), detail };
    case 'delayed':
      return { kind: 'delay', detail };
    case 'delivered':
    case 'relayed':
      return { kind: 'delivered', detail };
    default:
      return null;
  }
}

/** The status decides; the code of the reply counts only where there is no status. */
function bounceTypeOf(fields: Fields): BounceType {
  const status = keywordOf(fields.get('status'));
  const reply = /^smtp\s*;\s*([245])\d\d\b/i.exec(fields.get('diagnostic-code') ?? '');
  const digit = /^([245])\.\d{1,3}\.\d{1,3}/.exec(status)?.[1] ?? (status === '' ? reply?.[1] : undefined);
  if (digit === '5') return 'Permanent';
  return digit === '4' ? 'Transient' : 'Undetermined';
}

function diagnosisOf(fields: Fields): string | null {
  const diagnosis = (fields.get('diagnostic-code') ?? '').replace(/^[\w-]+\s*;\s*/, '');
  return diagnosis || fields.get('status') || null;
}

/** @returns null when it says that the email is not spam */
function readFeedback(text: string): ReportClass | null {
  const [fields] = fieldGroups(text);
  const type = keywordOf(fields?.get('feedback-type'));
  const kind = feedbackEffectOf(type);
  return kind === 'nothing' ? null : { kind, detail: type || 'Feedback without a type' };
}

const isFromMailServer = ({ envelopeFrom, from }: ReceivedReport): boolean =>
  envelopeFrom === '' ||
  [envelopeFrom, from].some((address) => /^(mailer-daemon|postmaster)@/i.test(address));

/** RFC 3834, and the older fields of autoresponders. */
function isAutomatic({ headers }: ReceivedReport): boolean {
  const submitted = headers.get('auto-submitted');
  if (submitted !== undefined && keywordOf(submitted).split(';')[0]?.trim() !== 'no') return true;
  if (keywordOf(headers.get('precedence')) === 'auto_reply') return true;
  return headers.has('x-autoreply');
}

/** The first line of a notice that has the code of a reply, else its subject. */
function detailOf({ subject, text }: ReceivedReport): string {
  const line = text
    .slice(0, 20_000)
    .split(/\r?\n/)
    .find((each) => /\b[45]\d\d[ -]|\b[45]\.\d{1,3}\.\d{1,3}\b/.test(each));
  return line?.trim() || subject;
}
