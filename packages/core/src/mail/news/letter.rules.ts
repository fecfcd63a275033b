import {
  answeredTo,
  type BounceType,
  type Diagnosed,
  diagnose,
  replyCodes,
} from '../diagnosis/diagnosis.rules.ts';

/** What a letter of a mail server says about a delivery; null when it is about none. */
export type LetterFinding =
  | { kind: 'bounce'; diagnosed: Diagnosed; text: string }
  | { kind: 'delay'; text: string }
  | null;

/** The message that failed follows; its words say nothing about the failure. */
const quotedMessage =
  /^(-{2,}\s?(below this line|this is a copy|original message|the (header|original)|message (header|follows)|returned message|copy of|unsent message)|(original message|returned message|message headers?) (follows|below)|return-path:|received: from )/i;

/** Still to be delivered. */
const delayed = [
  /\bwarning message only\b/i,
  /\b(do|does) not need to resend\b/i,
  /\b(will|shall) (keep trying|be retried|retry|continue to (try|attempt))\b/i,
  /\bdelivery (attempts? will|will) continue\b/i,
  /\b(still trying|has been delayed|delivery (is )?delayed|delayed mail|not yet been delivered|temporary problem delivering)\b/i,
  /\bdelivery (status notification|incomplete)\b.{0,10}\(?(delay|incomplete)/i,
];

/** Words with which mail programs begin and end such letters: no evidence of any class. */
const boilerplate =
  /\b(this is a permanent error|i['’]ve given up|sorry it didn['’]t work out|i['’]m afraid i wasn['’]t able to deliver your message|(the following )?address(es|\(es\))? (had permanent fatal errors|failed)|delivery (to the following recipients? )?(has )?failed( permanently)?|(could ?n[o'’]t|cannot) be delivered( to (one or more|all) of (its|your) recipients)?|undelivered mail returned to sender|mail delivery (failed|system|subsystem)|returning message to sender|message (was|is) not delivered|delivery status notification \(failure\)|check the (e-?mail )?address)\b/gi;

/** A notice that a delivery failed. */
const failure =
  /\b(undeliver(ed|able)|delivery (has )?fail(ed|ure)|failed delivery|failure notice|returned (mail|to sender|email)|mail delivery (failed|system|subsystem|error)|could ?n[o'’]t be delivered|unable to deliver|not (be )?delivered|delivery status notification \(failure\)|unzustellbar|nicht zugestellt|konnte nicht zugestellt|onbestelbaar|niet bezorgd|non remis|n['’]a pas pu etre|impossible de remettre|no entregado|no se pudo entregar|nao foi possivel entregar|mancato recapito|impossibile recapitare|nie dostarczono|nie mo[zż]na dostarczyc)(?!\p{L})|не доставлено|не удалось доставить|配信(不能|できません)|投递失败|退信/iu;

/** Characters of a letter that are read. */
const readLength = 20_000;
/** Characters of a line; longer ones are cut. */
const lineLength = 4_000;

/** Replies that are read: a letter quotes few. */
const mostReplies = 50;

/** The lines before the returned message, without marks of quotation, blanks before them and runs of blanks. */
function noticeOf(body: string): string[] {
  const lines = body
    .slice(0, readLength)
    .split('\n')
    .map((line) =>
      line
        .slice(0, lineLength)
        .replace(/^[>\s]+/, '')
        .replace(/\s+/g, ' ')
        .trim(),
    );
  const quoted = lines.findIndex((line) => quotedMessage.test(line));
  return quoted === -1 ? lines : lines.slice(0, quoted);
}

function paragraphsOf(lines: readonly string[]): string[] {
  const paragraphs: string[] = [];
  let open: string[] = [];
  for (const line of [...lines, '']) {
    if (line !== '') open.push(line);
    else if (open.length > 0) {
      paragraphs.push(open.join(' '));
      open = [];
    }
  }
  return paragraphs;
}

const hasCode = (text: string): boolean => text.search(replyCodes) !== -1 || /\(?#[45]\.\d\.\d/.test(text);

/** Whether one paragraph of a letter has a reply code and names the address. */
export const namesBesideCode = (body: string, address: string): boolean =>
  paragraphsOf(noticeOf(body)).some(
    (paragraph) => hasCode(paragraph) && paragraph.toLowerCase().includes(address),
  );

/** Each reply of a paragraph with its continuation; the paragraph where only an enhanced code stands in it. */
function repliesIn(paragraph: string): string[] {
  const found = [...paragraph.matchAll(replyCodes)];
  const starts = found.filter(({ 0: code }, index) => found[index - 1]?.[0] !== code);
  if (starts.length === 0) return hasCode(paragraph) ? [paragraph] : [];
  return starts.map(({ index }, n) => paragraph.slice(index, starts[n + 1]?.index));
}

const finality: readonly BounceType[] = ['Undetermined', 'Transient', 'Permanent'];

/** What follows the first line that ends with an address. */
function afterAddress(lines: readonly string[]): string {
  const at = lines.findIndex((line) => /\S@\S/.test(line));
  const line = lines[at] ?? '';
  if (line === '') return '';
  const address = line.slice(line.indexOf('@'));
  const end = address.search(/[\s>:]/);
  const rest = end === -1 ? '' : address.slice(end).replace(/^[\s>:]+/, '');
  return [rest, ...lines.slice(at + 1)].join(' ').trim();
}

/**
 * Reads a letter of a mail server, one without a machine-readable part (behaviour B11.7): the replies that it quotes, of several the most
 * final; without one, what follows the recipient's address; without that, the whole of it.
 */
export function readLetter(subject: string, body: string): LetterFinding {
  const lines = noticeOf(body);
  const notice = lines.join(' ').replace(/\s+/g, ' ').trim();
  const title = subject.slice(0, lineLength).replace(/\s+/g, ' ');
  const all = `${title} ${notice}`;
  const isFailure = failure.test(
    all
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]/g, '')
      .normalize('NFC'),
  );
  if (delayed.some((pattern) => pattern.test(all))) return { kind: 'delay', text: title };
  const replies = paragraphsOf(lines)
    .flatMap((paragraph) => repliesIn(paragraph).map((text) => ({ text, paragraph })))
    .slice(0, mostReplies)
    .map(({ text, paragraph }) => ({
      text,
      diagnosed: diagnose({ reply: null, status: null, text, about: answeredTo(paragraph) }),
    }));
  const rank = ({ diagnosed }: (typeof replies)[number]): number =>
    2 * finality.indexOf(diagnosed.bounceType) + (diagnosed.class === 'other' ? 0 : 1);
  const [most] = replies.toSorted((one, other) => rank(other) - rank(one));
  if (most && (isFailure || most.diagnosed.class !== 'other')) return { kind: 'bounce', ...most };
  // Without a word about a failure, only what stands beside an address is about one.
  const texts = [afterAddress(lines), ...(isFailure ? [notice, title] : [])];
  for (const given of texts) {
    const text = given.replace(boilerplate, ' ').trim();
    if (text === '') continue;
    const diagnosed = diagnose({ reply: null, status: null, text, about: null });
    if (diagnosed.class !== 'other') return { kind: 'bounce', diagnosed, text };
  }
  if (!isFailure) return null;
  return {
    kind: 'bounce',
    diagnosed: { class: 'other', code: null, reply: null, bounceType: 'Undetermined' },
    text: title,
  };
}
