import { normalizeAddress } from '../../base/kernel/fields.ts';
import { answeredTo, type Diagnosed, diagnose } from '../diagnosis/diagnosis.rules.ts';
import { feedbackEffectOf } from './feedback-types.rules.ts';
import { type LetterFinding, namesBesideCode, readLetter } from './letter.rules.ts';
import { isAutomatic, isFromMailSystem, type ReportAuthor } from './report-author.rules.ts';
import { type Fields, fieldGroups, keywordOf, withoutComments } from './report-fields.rules.ts';

/** The parts of a message to an envelope sender that decide its class. */
export interface ReceivedReport extends ReportAuthor {
  /** of the envelope; '' for the null sender */
  envelopeFrom: string;
  /** the `message/delivery-status` part (RFC 3464) */
  deliveryStatus: string | null;
  /** the `message/feedback-report` part (RFC 5965) */
  feedbackReport: string | null;
  /** whether it has an email of ours as a part or as a copy in its text */
  returnsEmail: boolean;
  text: string;
}

/** A bounce with what the receiving side said. */
interface BounceClass extends Diagnosed {
  kind: 'bounce';
  /** it failed, and the report says neither how finally nor why */
  isUnread?: true;
}

/** The class of a report, and a text about it for the customer. */
export type ReportClass = { detail: string | null } & (
  | BounceClass
  | { kind: 'delivered' | 'complaint' | 'opt_out' | 'delay' | 'auto_reply' | 'unknown' }
);

/**
 * Reads a report in the order of behaviour B11.7: delivery status, feedback report, letter of a mail system, automatic reply, unknown.
 *
 * @param recipients the addresses of the emails that it is to be read for, normalized; '' where it is not known
 * @returns for each of them; null when there is nothing to do: the feedback says that the email is not spam
 */
export function classifyReport(
  report: ReceivedReport,
  recipients: readonly string[],
): readonly (ReportClass | null)[] {
  const letter = once(() => readLetter(report.subject, report.text));
  const groups = report.deliveryStatus === null ? [] : readGroups(report, letter);
  if (groups.length > 0) return recipients.map((recipient) => aboutRecipient(groups, recipient));
  const { feedbackReport } = report;
  const all = (found: ReportClass | null) => recipients.map(() => found);
  if (feedbackReport !== null) return all(readFeedback(feedbackReport));
  if (isFromMailSystem(report)) return all(letterOf(report, letter()));
  if (isAutomatic(report)) return all({ kind: 'auto_reply', detail: report.subject });
  const unknown: ReportClass = { kind: 'unknown', detail: report.subject };
  if (report.envelopeFrom !== '') return all(unknown);
  if (report.returnsEmail) return all(letterOf(report, letter()));
  return recipients.map((recipient) =>
    recipient !== '' && namesBesideCode(report.text, recipient) ? letterOf(report, letter()) : unknown,
  );
}

/** Reading costs, and a report has one letter for all recipients. */
function once<Value>(read: () => Value): () => Value {
  let found: { value: Value } | undefined;
  return () => {
    found ??= { value: read() };
    return found.value;
  };
}

function letterOf({ subject }: ReceivedReport, found: LetterFinding): ReportClass {
  if (!found) return { kind: 'unknown', detail: subject };
  if (found.kind === 'delay') return { kind: 'delay', detail: found.text };
  return { kind: 'bounce', ...found.diagnosed, detail: found.text };
}

/** Groups that are read: a message is accepted for at most 20 recipients. */
const mostGroups = 40;

/** One recipient of a delivery status (RFC 3464, 2.3). */
interface Group {
  /** as its fields name it, normalized and without a `+tag`; empty when they cannot be read */
  addresses: readonly string[];
  found: () => ReportClass;
}

function readGroups(report: ReceivedReport, letter: () => LetterFinding): Group[] {
  const known = fieldGroups(report.deliveryStatus ?? '').filter((fields) => actions.has(actionOf(fields)));
  // A letter about several recipients does not say which of them a word is about.
  const own = known.length === 1 ? letter : () => null;
  return known.slice(0, mostGroups).map((fields) => {
    const names = ['original-recipient', 'final-recipient'].map((name) => addressOf(fields.get(name)));
    return {
      addresses: names.filter((name) => name !== null),
      found: once(() => statusOf(fields, report, own)),
    };
  });
}

/** The most final of several: a list may have forwarded the email to several recipients. */
const finality = ['unknown', 'delivered', 'delay', 'Undetermined', 'Transient', 'Permanent'];
const finalityOf = (found: ReportClass): number =>
  finality.indexOf(found.kind === 'bounce' ? found.bounceType : found.kind);

function aboutRecipient(groups: readonly Group[], recipient: string): ReportClass {
  const own = withoutTag(recipient);
  const about = groups.filter(
    ({ addresses }) => own === '' || addresses.length === 0 || addresses.includes(own),
  );
  if (about.length === 0) {
    const [other = ''] = groups.flatMap(({ addresses }) => addresses);
    return { kind: 'unknown', detail: `About another recipient: ${other}` };
  }
  return about
    .map(({ found }) => found())
    .reduce((most, each) => (finalityOf(each) > finalityOf(most) ? each : most));
}

/** An address that a field names, without its type, comments, `<>` and xtext (RFC 3464, 2.3.1; RFC 3461, 4); null when there is none. */
function addressOf(field: string | undefined): string | null {
  if (field === undefined) return null;
  const [type = '', ...rest] = withoutComments(field).split(';');
  const given = (rest.length > 0 ? rest.join(';') : type).trim().replace(/^<|>$/g, '');
  const plain = given.replace(/\+([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  const address = normalizeAddress(plain);
  return address === null ? null : withoutTag(address);
}

/** `a+tag@b` and `a@b` are one mailbox as far as a report is concerned. */
function withoutTag(address: string): string {
  const at = address.lastIndexOf('@');
  const plus = address.indexOf('+');
  return plus > 0 && plus < at ? address.slice(0, plus) + address.slice(at) : address;
}

const actions = new Set(['failed', 'delayed', 'delivered', 'relayed', 'expanded']);
const actionOf = (fields: Fields): string => keywordOf(fields.get('action')).split(' ')[0] ?? '';

/** The fields of one recipient (RFC 3464, 2.3.3 and 2.3.4) with an action that is known. */
function statusOf(fields: Fields, report: ReceivedReport, letter: () => LetterFinding): ReportClass {
  const detail = diagnosisOf(fields);
  switch (actionOf(fields)) {
    case 'failed':
      return failureOf(fields, report, letter);
    case 'delayed':
      return { kind: 'delay', detail };
    case 'delivered':
    case 'relayed':
      return { kind: 'delivered', detail };
    default:
      return { kind: 'unknown', detail };
  }
}

/** What the diagnosis of a failure says; where it says nothing, the letter above it. */
function failureOf(fields: Fields, report: ReceivedReport, readLetterOf: () => LetterFinding): ReportClass {
  const detail = diagnosisOf(fields);
  const given = fields.get('diagnostic-code') ?? '';
  const [status = null] = /^[245]\.\d{1,3}\.\d{1,3}/.exec(keywordOf(fields.get('status'))) ?? [];
  const text = given.replace(/^[\w-]{1,30}\s*;\s*/, '') || (fields.get('status') ?? '');
  const about = answeredTo(text) ?? answeredTo(report.text);
  const found = diagnose({ reply: null, status, text: /^x-unix\s*;/i.test(given) ? given : text, about });
  if (found.class !== 'other') return { kind: 'bounce', ...found, detail };
  const letter = readLetterOf();
  if (letter?.kind === 'bounce' && letter.diagnosed.class !== 'other') {
    // The digit of the report counts: the letter only says why.
    const bounceType = found.bounceType === 'Transient' ? found.bounceType : letter.diagnosed.bounceType;
    return { kind: 'bounce', ...letter.diagnosed, bounceType, detail: detail ?? letter.text };
  }
  const isUnread = found.code === null && found.reply === null;
  return { kind: 'bounce', ...found, detail, ...(isUnread && { isUnread: true }) };
}

function diagnosisOf(fields: Fields): string | null {
  const diagnosis = (fields.get('diagnostic-code') ?? '').replace(/^[\w-]{1,30}\s*;\s*/, '');
  return diagnosis || fields.get('status') || null;
}

/** @returns null when it says that the email is not spam */
function readFeedback(text: string): ReportClass | null {
  const [fields] = fieldGroups(text);
  const type = keywordOf(fields?.get('feedback-type'));
  const kind = feedbackEffectOf(type);
  return kind === 'nothing' ? null : { kind, detail: type || 'Feedback without a type' };
}
