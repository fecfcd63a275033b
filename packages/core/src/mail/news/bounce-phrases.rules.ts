import type { BounceType } from './news.rules.ts';

/** What a bounce in free text says; null when it is not about a delivery. */
export type FreeTextFinding = { kind: 'bounce'; bounceType: BounceType } | { kind: 'delay' } | null;

/** The message that failed follows; its words say nothing about the failure. Lines have no blanks before them. */
const quotedMessage =
  /(^|\n)(-{2,}\s?(below this line|this is a copy|original message|the (header|original)|message (header|follows)|returned message|copy of)|(original message|returned message|message headers?) (follows|below)|return-path:|received: from )/i;

/** Still to be delivered. */
const delayed = [
  /\bwarning message only\b/i,
  /\b(do|does) not need to resend\b/i,
  /\b(will|shall) (keep trying|be retried|retry|continue to (try|attempt))\b/i,
  /\bdelivery (attempts? will|will) continue\b/i,
  /\b(still trying|has been delayed|delivery (is )?delayed|delayed mail|not yet been delivered|temporary problem delivering)\b/i,
  /\bdelivery (status notification|incomplete)\b.{0,10}\(?(delay|incomplete)/i,
];

/** The address does not accept mail for good: no such mailbox or domain, closed, or forbidden. */
const permanent = [
  /\bno such (user|recipient|mailbox|account|address|person|local user|domain)\b/i,
  /\b(unknown|invalid|non-?existent|bad|illegal) (or illegal |virtual |local |e-?mail )?(user|recipient|mailbox|account|alias|address|destination)\b/i,
  /\b(user|recipient|mailbox|account|alias|address|e-?mail address|host|domain)( name)?( is)? (unknown|invalid|not found|not known|inactive|disabled|closed|suspended|unavailable for good|rejected)\b/i,
  /\b(user|recipient|mailbox|account|address|group|inbox)\b.{0,120}\b(does not|doesn['’]t|no longer|did not|could not be found to) exists?\b/i,
  /\b(couldn['’]t|could not|cannot|can['’]t) be found\b/i,
  /\b(does not|doesn['’]t) (like|accept mail for) (the )?recipient\b/i,
  /\b(wasn['’]t|was not|isn['’]t|is not) (found|a valid (mailbox|recipient|user|address))\b/i,
  /\b(no mailbox here by that name|not a valid (mailbox|recipient|user)|not our customer|not listed in (domino|the) (directory|public name))\b/i,
  /\b(doesn['’]t|does not) have an? \S+ account\b/i,
  /\b(unrouteable|undeliverable) (e-?mail |recipient )?address\b/i,
  /\b(name or service not known|host or domain name not found|domain (name )?not found|domain does not exist|dns error: .{0,120}(nxdomain|not found)|nullmx|does not accept mail)\b/i,
  /\b(account|mailbox|address) (has been|was|is) (disabled|discontinued|deactivated|deleted|closed|removed|expired)\b/i,
  /\bis no longer (valid|active|available|in use|with us|employed)\b/i,
  /\b(relay(ing)? (access )?denied|unable to relay|not permitted to relay)\b/i,
  /\b(user|recipient)( address)? rejected\b/i,
  /\b(i['’]m afraid i wasn['’]t able|this is a permanent error|i['’]ve given up)\b/i,
];

/** May work later, or for another message. */
const transient = [
  /\b(mailbox|mail ?box|inbox|mail store|storage|account|user)( is| for user)?.{0,40}\b(full|over (its |the )?(quota|limit)|exceeded|exceeds|out of (storage|space))\b/i,
  /\b(over|exceeded|exceeds|exceeding)\b.{0,40}\b(quota|storage|mailbox (size|limit))\b/i,
  /\b(quota|storage limit) (has been )?(exceeded|reached|full)\b/i,
  /\b(insufficient (system )?(storage|disk)|disk (is )?full|not enough (disk )?space|out of disk)\b/i,
  /\b(try again|try later|retry later|temporar(y|ily)|greylist(ed|ing)?|deferred|come back later)\b/i,
  /\b(too many (messages|connections|recipients|emails)|rate.?limit(ed)?|throttl(ed|ing)|receiving (mail|email) (too|at a rate))\b/i,
  /\b(connection (timed out|refused|reset|dropped)|timed? ?out|unreachable|no route to host|retry (time|timeout) exceeded|expired in queue|message expired)\b/i,
  /\b(message|mail|attachment|e-?mail)( is| size)? (too (large|big)|exceeds)\b/i,
];

/** Refused for what the message is or who sends it: nothing about the mailbox. */
const refused = [
  /\b(spam|blacklist|block ?list|blocked|black ?listed|spamhaus|barracuda|dmarc|spf|policy|policies|virus|malware|phishing|reputation|content rejected|prohibited)\b/i,
];

/** A notice that a delivery failed, without a known reason. */
const failure =
  /\b(undeliver(ed|able)|delivery (has )?fail(ed|ure)|failed delivery|failure notice|returned (mail|to sender|email)|mail delivery (failed|system|subsystem|error)|could ?n[o'’]t be delivered|not (be )?delivered|delivery status notification \(failure\)|unzustellbar|non remis|no entregado|nicht zugestellt|mancato recapito|undelivered mail)\b/i;

const ofReplies =
  /(?<![\d.])([45])\.\d{1,3}\.\d{1,3}(?![\d.]*\d)|(?<![\d.:])([45])[0-5]\d(?=[ -]\S)(?![\d.])/;

const matches = (patterns: readonly RegExp[], text: string): boolean =>
  patterns.some((pattern) => pattern.test(text));

/** Characters of a notice that are read. */
const readLength = 20_000;

/** Lines without marks of quotation and blanks before them and without runs of blanks, so that no pattern meets one. */
const linesOf = (text: string): string =>
  text
    .split('\n')
    .map((line) =>
      line
        .replace(/^[>\s]+/, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((line) => line !== '')
    .join('\n');

/**
 * Reads a bounce without a machine-readable part by the phrases of the large providers (behaviour B11.7). Words about the mailbox decide
 * before the codes of replies, because providers use 5.x.x codes for full mailboxes too.
 */
export function readFreeText(subject: string, body: string): FreeTextFinding {
  const notice = (linesOf(body.slice(0, readLength)).split(quotedMessage)[0] ?? '').replaceAll('\n', ' ');
  const text = `${subject.slice(0, readLength)} ${notice}`.replace(/\s+/g, ' ');
  if (matches(delayed, text)) return { kind: 'delay' };
  if (matches(permanent, notice)) return { kind: 'bounce', bounceType: 'Permanent' };
  if (matches(transient, text)) return { kind: 'bounce', bounceType: 'Transient' };
  if (matches(refused, text) && failure.test(text)) return { kind: 'bounce', bounceType: 'Undetermined' };
  const code = ofReplies.exec(text);
  if (code && failure.test(text)) {
    return { kind: 'bounce', bounceType: (code[1] ?? code[2]) === '5' ? 'Permanent' : 'Transient' };
  }
  return failure.test(text) ? { kind: 'bounce', bounceType: 'Undetermined' } : null;
}
