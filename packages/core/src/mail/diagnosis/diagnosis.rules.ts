import type { DiagnosisClass } from '../../base/kernel/enums.ts';
import { type Named, phrases } from './diagnosis-phrases.rules.ts';

/**
 * What an answer was given to: the recipient's address, the sender's, the command DATA, or the end of the message; null where that is not
 * known, as in most reports.
 */
export type AnsweredTo = 'recipient' | 'sender' | 'data' | 'message';

/** What the receiving side said about an email, in whichever way it arrived. */
export interface Said {
  /** the reply code (RFC 5321, 4.2); null where only the text may have one */
  reply: number | null;
  /** the enhanced code (RFC 3463) that stands beside the text, such as the Status of a report; a code in the text counts before it */
  status: string | null;
  text: string;
  about: AnsweredTo | null;
}

/** How final a refusal is: the address is refused for good, the delivery failed for now, or neither (behaviour B3.7). */
export type BounceType = 'Permanent' | 'Transient' | 'Undetermined';

export interface Diagnosed {
  class: DiagnosisClass;
  /** the enhanced code that decided, or the last one */
  code: string | null;
  reply: number | null;
  bounceType: BounceType;
}

/** Characters of a text that are read: more than any answer of a server has. */
export const diagnosisLength = 20_000;

const finalClasses = ['no_mailbox', 'no_domain', 'closed'] as const;
/** The order in which words decide where a code does not. */
const otherClasses = [
  'full',
  'authentication',
  'blocked',
  'content',
  'too_large',
  'policy',
  'unreachable',
] as const;
type FinalClass = (typeof finalClasses)[number];
type OtherClass = (typeof otherClasses)[number];

/** Whether a class says that the address accepts no email, if the refusal is one for good. */
export const isFinalClass = (given: DiagnosisClass): given is FinalClass =>
  finalClasses.some((each) => each === given);

/** Causes that a code of the first three classes is used for as well: words that name one of them win over it. */
const mistaken = ['full', 'authentication', 'blocked', 'content'] as const;

const classOfDetail = new Map<string, DiagnosisClass>(
  (
    [
      ['no_mailbox', '1.1 1.3 1.6 1.10 1.351 7.17'],
      ['no_domain', '1.2 4.310 7.18'],
      ['closed', '2.1 7.13'],
      ['full', '2.2 3.1'],
      ['unreachable', '3.0 3.2 3.5 4.2 4.3 4.5 4.6 4.7 4.14 4.300 4.316'],
      ['blocked', '7.28 7.511 7.512 7.513 7.514 7.650'],
      ['authentication', '7.20 7.21 7.22 7.23 7.24 7.25 7.26 7.29 7.509 7.515'],
      ['too_large', '2.3 3.4 7.16'],
      ['policy', '1.7 1.8 1.9 2.4 3.3'],
    ] as const
  ).flatMap(([given, details]) =>
    details.split(' ').map((detail): [string, DiagnosisClass] => [detail, given]),
  ),
);

/** The class that a code means by itself (RFC 3463, its registry, and well-known private ones); null where it has none. */
function classOfCode(code: string): DiagnosisClass | null {
  const detail = code.slice(2);
  const known = classOfDetail.get(detail);
  if (known) return known;
  const [subject, number] = detail.split('.').map(Number);
  if (subject === 7) return number !== undefined && number >= 606 && number <= 649 ? 'blocked' : 'policy';
  if (subject === 6) return 'content';
  return null;
}

/** Codes that decide nothing alone. */
const vagueDetails = new Set(['0.0', '1.0', '2.0', '3.0', '4.0', '4.1', '4.4', '7.0', '7.1', '7.9']);

const isVague = (code: string, reply: number | null): boolean => {
  const detail = code.slice(2);
  if (vagueDetails.has(detail) || detail.startsWith('5.')) return true;
  // RFC 7504: a host that accepts no mail.
  if (detail === '3.2' && reply === 521) return true;
  return classOfCode(code) === null;
};

/** An enhanced code; the number of an address of the network or of a version is none. */
const enhancedCodes = /(?<![\d.])[245]\.[0-7]\.\d{1,3}(?![.\d]*\d)/g;
/** A reply code before a text or an enhanced code. */
export const replyCodes = /(?<![\d.:=/_])[245][0-5]\d(?=[ -]+(?:#?\d\.\d{1,3}\.\d|[^\s\d]))/g;

/**
 * The words of a text as phrases meet them: lower case and without accents, with what names somebody or something taken out: addresses, which can
 * look like words of a refusal, URLs and codes.
 */
export function wordsOf(text: string): string {
  return text
    .slice(0, diagnosisLength)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[’‘`´]/g, "'")
    .split(/([\s<>()"]+)/)
    .map((part) => (isName(part) ? ' ' : part))
    .join('')
    .replace(/[<>()"\s]+/g, ' ')
    .replace(/(?<![\d._])[245][0-5]\d[ -](?:#?[245]\.\d\.\d{1,3}\b)?/g, ' ')
    .replaceAll(' :', ':')
    .replace(/ {2,}/g, ' ')
    .replace(/^[ :#.\d-]+/, '')
    .replaceAll(/\brecipient( e-?mail)? address(es)? rejected ?: ?(?=\S)/g, '')
    .trim();
}

const isName = (part: string): boolean =>
  (part.includes('@') && !part.includes(':blocked')) || /^(https?:|www\.|mailto:)/.test(part);

function namedIn(text: string): Set<Named> {
  const words = wordsOf(text);
  const named = new Set<Named>();
  for (const [name, patterns] of Object.entries(phrases) as [Named, (typeof phrases)[Named]][])
    if (patterns.some(([pattern]) => pattern.test(words))) named.add(name);
  return named;
}

/** Where a report says what the answer that it quotes was given to, as Postfix and Exim do. */
export function answeredTo(text: string): AnsweredTo | null {
  const match =
    /\bin reply to (?:the )?(RCPT TO|MAIL FROM|DATA|end of DATA) command|\bafter (RCPT TO|MAIL FROM|end of data|DATA)\b|\bfailed after I sent the (message)\b/i.exec(
      text.slice(0, diagnosisLength),
    );
  const named = (match?.[1] ?? match?.[2] ?? match?.[3])?.toLowerCase();
  if (named === undefined) return null;
  if (named.startsWith('rcpt')) return 'recipient';
  if (named.startsWith('mail')) return 'sender';
  return named === 'data' ? 'data' : 'message';
}

/**
 * What a refusal says (behaviour B3.7). The same text has the same class as an answer in the SMTP dialogue, in a delivery report, in a letter
 * of a mail server, and in a notification of a provider.
 *
 * The last precise enhanced code decides, as a server quotes the next one's answer at the end; where it has none, the words.
 */
export function diagnose({ reply: given, status, text, about }: Said): Diagnosed {
  const read = text.slice(0, diagnosisLength);
  const inText = [...read.matchAll(enhancedCodes)].map(([code]) => code);
  const replies = [...read.matchAll(replyCodes)].map(([code]) => Number(code));
  const reply = given ?? replies.at(-1) ?? null;
  const ownStatus = status !== null && /^[245]\.\d{1,3}\.\d{1,3}$/.test(status) ? status : null;
  const precise =
    inText.findLast((code) => !isVague(code, reply)) ??
    (ownStatus !== null && !isVague(ownStatus, reply) ? ownStatus : undefined);
  const code = precise ?? inText.at(-1) ?? ownStatus;
  const found = classOf({ code, isPrecise: precise !== undefined, reply, about, named: namedIn(read) });
  const digits = [
    code !== null && (inText.includes(code) || reply === null) ? code[0] : undefined,
    reply?.toString()[0],
  ];
  return { class: found, code, reply, bounceType: bounceTypeOf(found, digits) };
}

/** A 4 anywhere is a refusal for now; an answer without any digit counts as one with a 5 if its words decide. */
function bounceTypeOf(found: DiagnosisClass, digits: readonly (string | undefined)[]): BounceType {
  if (digits.includes('4') || found === 'full' || found === 'unreachable') return 'Transient';
  return isFinalClass(found) ? 'Permanent' : 'Undetermined';
}

interface Evidence {
  code: string | null;
  isPrecise: boolean;
  reply: number | null;
  about: AnsweredTo | null;
  named: ReadonlySet<Named>;
}

function classOf(evidence: Evidence): DiagnosisClass {
  const { code, isPrecise, about, named } = evidence;
  const others = otherClasses.filter((each) => named.has(each));
  if (named.has('blocked_only') && others.length === 0) others.push('blocked');
  if (named.has('for_now') && others.length === 0) others.push('unreachable');
  const notAboutRecipient =
    about === 'sender' || about === 'data' || named.has('sender') || (named.has('local') && 'local');
  const byCode = isPrecise && code !== null ? classOfCode(code) : null;
  if (about === 'message' && (byCode === null || (byCode === 'policy' && code?.slice(2).startsWith('7.'))))
    return others[0] ?? 'content';
  if (byCode !== null && !isFinalClass(byCode)) return byCode;
  if (notAboutRecipient)
    return (
      others[0] ??
      (notAboutRecipient === 'local' ? 'unreachable' : named.has('sender') ? 'policy' : byVagueCode(evidence))
    );
  if (byCode !== null) return byFinalCode(byCode, evidence);
  return finalByWords(evidence, others) ?? others[0] ?? byVagueCode(evidence);
}

const acceptsNoMail = ({ code, reply, named }: Evidence): boolean =>
  named.has('null_mx') || (reply === 556 && code?.slice(2) === '1.10');

function byFinalCode(byCode: FinalClass, evidence: Evidence): DiagnosisClass {
  const { code, named } = evidence;
  if (acceptsNoMail(evidence)) return 'no_domain';
  if (finalClasses.some((each) => named.has(each))) return byCode;
  // A refusal for now is about the address less often than one for good.
  const causes = code?.startsWith('4') ? otherClasses : mistaken;
  return causes.find((each) => named.has(each)) ?? byCode;
}

/** One of the first three classes, if the words name it and no other cause. */
function finalByWords(evidence: Evidence, others: readonly OtherClass[]): FinalClass | null {
  const { code, reply, about, named } = evidence;
  const detail = code?.slice(2) ?? '';
  const isSecurity = detail.startsWith('7.');
  if (isSecurity) return others.length === 0 && named.has('no_mailbox') ? 'no_mailbox' : null;
  if (others.some((each) => each !== 'policy')) return null;
  if (acceptsNoMail(evidence)) return 'no_domain';
  if (named.has('closed') && !named.has('for_now')) return 'closed';
  if (named.has('no_mailbox')) return 'no_mailbox';
  if (named.has('no_domain')) return 'no_domain';
  if (about === 'message') return null;
  if (reply === 550 && (named.has('unavailable') || detail === '4.1')) return 'no_mailbox';
  return null;
}

/** What remains without words. */
function byVagueCode({ code, reply, about, named }: Evidence): DiagnosisClass {
  const detail = code?.slice(2) ?? '';
  if (about !== 'sender' && about !== 'data' && (reply === 521 || reply === 556)) return 'no_domain';
  if (reply === 552 && code === null) return 'full';
  if (named.has('unavailable') || code?.startsWith('4') || (reply !== null && reply < 500))
    return 'unreachable';
  if (detail.startsWith('7.')) return 'policy';
  return detail === '3.0' || detail === '4.4' ? 'unreachable' : 'other';
}

/** Characters of a detail that are stored. */
const detailLength = 500;

/** A detail as it is stored: one line without control characters; null when nothing remains. */
export function storedDetail(detail: string | null): string | null {
  const line = (detail ?? '')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, detailLength)
    .toWellFormed();
  return line === '' ? null : line;
}

/** A diagnosis as an email keeps it, without its time. */
export interface Diagnosis {
  class: DiagnosisClass;
  code: string | null;
  reply: number | null;
  /** one line of at most 500 characters */
  text: string | null;
}

export const diagnosisOf = (
  found: Pick<Diagnosed, 'class' | 'code' | 'reply'>,
  text: string | null,
): Diagnosis => ({
  class: found.class,
  code: found.code,
  reply: found.reply,
  text: storedDetail(text),
});
