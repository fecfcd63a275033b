import { isBlankText, normalizeAddress } from './addresses.rules.ts';

/** An address in its normal form, and the display name that was given with it. */
export interface MailboxText {
  email: string;
  name: string | null;
}

/** Why a text is not one mailbox. */
export type MailboxProblem = 'missing' | 'several' | 'malformed';

/** Longer than any name and address: the rest of the reading may cost the square of this. */
export const longestMailbox = 2_000;

const quotedName = /^"((?:[^"\\]|\\.)*)"\s*<([^<>]*)>$/s;
const plainName = /^([^"<>()[\]\\,;:]*)<([^<>]*)>$/;
const quotedText = /"(?:[^"\\]|\\.)*"/gs;
/** Separators of addresses, the end of a group, and comments. */
const notOne = /[,;()]/;

/**
 * Reads `address` or `Name <address>` (RFC 5322, 3.4). The name is plain, or quoted with `\"` and `\\`; encoded words are not decoded.
 *
 * @param normalize reads the address
 */
export function readMailbox(
  given: string,
  normalize: (address: string) => string | null = normalizeAddress,
): MailboxText | MailboxProblem {
  if (isBlankText(given)) return 'missing';
  const text = given.trim();
  const alone = normalize(text);
  if (alone !== null) return { email: alone, name: null };
  if (text.length > longestMailbox) return 'malformed';
  const named = readNamed(text);
  const email = named && normalize(named.address);
  if (named && email) {
    // A program that has no name for an address often repeats the address.
    const isRepeated = named.name.includes('@') && normalize(named.name) === email;
    if (isRepeated || named.isQuoted || !named.name.includes('@'))
      return { email, name: isRepeated ? null : named.name || null };
  }
  return named?.name.includes('@') || notOne.test(text.replaceAll(quotedText, '')) ? 'several' : 'malformed';
}

function readNamed(text: string): { name: string; address: string; isQuoted: boolean } | null {
  const quoted = quotedName.exec(text);
  if (quoted)
    return {
      name: (quoted[1] ?? '').replace(/\\(.)/gs, '$1').trim(),
      address: quoted[2] ?? '',
      isQuoted: true,
    };
  const plain = plainName.exec(text);
  return plain && { name: (plain[1] ?? '').trim(), address: plain[2] ?? '', isQuoted: false };
}

/** RFC 5322, 2.1.1: a header line has at most 998 characters. */
export const longestMailboxList = 998;

/**
 * The texts between the commas of a list of mailboxes (RFC 5322, 3.4); commas within quotation marks or angle brackets belong to a
 * mailbox.
 */
export function splitMailboxes(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let isQuoted = false;
  let isAddress = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (isQuoted && char === '\\') at += 1;
    else if (char === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (char === '<') isAddress = true;
    else if (char === '>') isAddress = false;
    else if (char === ',' && !isAddress) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)].map((part) => part.trim());
}

/** A display name that needs no quotation marks: what `readMailbox` reads back as it is. */
const unquotedName = /^[^"<>()[\]\\,;:@]*$/;

/** A mailbox as `readMailbox` reads it. */
export const mailboxText = ({ email, name }: MailboxText): string => {
  if (name === null || name === '') return email;
  return `${unquotedName.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`} <${email}>`;
};

/** Reads an address as spreadsheets and address books write it: a mailbox, or a link to it (`mailto:`). The name is dropped. */
export function readAddressCell(cell: string): { email: string } | MailboxProblem {
  const read = readMailbox(cell.trim().replace(mailto, ''), (address) =>
    normalizeAddress(address.trim().replace(mailto, '')),
  );
  return typeof read === 'string' ? read : { email: read.email };
}

const mailto = /^mailto:/i;
