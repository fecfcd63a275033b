import { domainToASCII } from 'node:url';
import { readMailbox, splitMailboxes } from '../../base/lib/mailboxes.rules.ts';
import { encodeCodePoint } from './quoted-printable.ts';

const LINE = 76;
/** RFC 5322 2.1.1: a line has at most 998 characters; text that cannot be folded is encoded, which splits it. */
const UNFOLDABLE = /[^ \t]{800}|[ \t]{100}/;
const ENCODED_WORD = 75;
const WORD_OVERHEAD = '=?UTF-8?Q??='.length;
const PRINTABLE = /^[\t\x20-\x7e]*$/;
const ATOMS = /^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~ ]+$/;
const DOT_ATOM = /^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~]+(\.[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~]+)*$/;
const LONGEST_PHRASE = 60;

/** What most values are: a short line of ASCII that needs no folding, encoding or quoting. */
const PLAIN_LINE = /^[!-<>-~](?:[ -<>-~]{0,58}[!-<>-~])?$/;
const PLAIN_ADDRESS = /^[A-Za-z0-9_+-]+(?:\.[A-Za-z0-9_+-]+)*@[a-z0-9.-]{1,200}$/;

/** Removes line ends, which could end a header, and other control characters. */
export function cleanHeaderValue(value: string): string {
  if (PLAIN_LINE.test(value)) return value;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
  return value.replace(/[\u0000-\u0008\u000a-\u001f\u007f]/g, '');
}

/** A header line (or several, folded) with its CRLF; non-ASCII text becomes encoded words (RFC 2047). */
export function headerLine(name: string, value: string): string {
  if (PLAIN_LINE.test(value) && name.length + value.length < LINE - 1) return `${name}: ${value}\r\n`;
  const clean = cleanHeaderValue(value).trim();
  if (!needsEncoding(clean)) return `${fold(`${name}: ${clean}`)}\r\n`;
  return `${name}: ${encodeWords(clean, name.length + 2)}\r\n`;
}

/** A header with one address. */
export function addressLine(name: string, displayName: string | null, email: string): string {
  const phrase = displayName === null ? '' : formatPhrase(displayName, name.length + 2);
  const address = normalizeAddress(email);
  if (phrase === '') return `${name}: ${address}\r\n`;
  const lastLine = phrase.slice(phrase.lastIndexOf('\n') + 1);
  const used = lastLine === phrase ? name.length + 2 + phrase.length : lastLine.length;
  const gap = used + address.length + 3 > LINE ? '\r\n ' : ' ';
  return `${name}: ${phrase}${gap}<${address}>\r\n`;
}

/** A header with several addresses; null without one. */
export function addressesLine(
  name: string,
  recipients: readonly { readonly email: string; readonly name: string | null }[],
): string | null {
  if (recipients.length === 0) return null;
  return joined(
    name,
    recipients.map((recipient) => addressLine(name, recipient.name, recipient.email)),
  );
}

/** A header with several mailboxes, which are one text (RFC 5322, 3.4), or with one. */
export function mailboxesLine(name: string, mailboxes: string): string {
  if (PLAIN_ADDRESS.test(mailboxes)) return `${name}: ${mailboxes}\r\n`;
  const fields = splitMailboxes(mailboxes).map((text) => {
    const mailbox = readMailbox(text);
    // A stored address that is none is written as it is.
    if (typeof mailbox === 'string') return `${name}: ${normalizeAddress(text)}\r\n`;
    return addressLine(name, mailbox.name, mailbox.email);
  });
  return joined(name, fields);
}

/** Several headers of one name as one, with a line for each. */
function joined(name: string, fields: readonly string[]): string {
  const [first = '', ...others] = fields.map((field) => field.slice(name.length + 2, -2));
  return `${[`${name}: ${first}`, ...others].join(',\r\n ')}\r\n`;
}

/** An address as headers require it: the domain in ASCII, unusual local parts quoted. */
export function normalizeAddress(email: string): string {
  if (PLAIN_ADDRESS.test(email)) return email;
  const clean = cleanHeaderValue(email).trim();
  const at = clean.lastIndexOf('@');
  if (at < 1) return clean.replace(/[^!-~]/g, '');
  const local = clean.slice(0, at);
  const domain = asciiDomain(clean.slice(at + 1));
  // Non-ASCII letters are kept (RFC 6532); the transport then needs SMTPUTF8.
  const isPlain = DOT_ATOM.test(local.replace(/\P{ASCII}/gu, 'x'));
  return isPlain ? `${local}@${domain}` : `"${local.replace(/["\\]/g, '\\$&')}"@${domain}`;
}

/** A domain in ASCII (punycode); an invalid domain loses every harmful character. */
export function asciiDomain(domain: string): string {
  if (/^[a-z0-9.-]+$/.test(domain)) return domain;
  return domainToASCII(domain) || domain.replace(/[^A-Za-z0-9.-]/g, '');
}

/** A parameter of a MIME header; long and non-ASCII values in the form of RFC 2231. */
export function headerParameter(name: string, value: string): string {
  const clean = cleanHeaderValue(value);
  if (PRINTABLE.test(clean) && clean.length <= LONGEST_PHRASE) {
    return `;\r\n ${name}="${clean.replace(/["\\]/g, '\\$&')}"`;
  }
  const chunks = splitEncoded(percentEncode(clean), LONGEST_PHRASE - name.length);
  const lines = chunks.map((chunk, i) => `;\r\n ${name}*${i}*=${i === 0 ? "UTF-8''" : ''}${chunk}`);
  return lines.join('');
}

function needsEncoding(text: string): boolean {
  if (!PRINTABLE.test(text) || text.includes('=?')) return true;
  return text.length > LINE && UNFOLDABLE.test(text);
}

/** Breaks before white space and keeps it, so that unfolding restores the text. */
function fold(line: string): string {
  if (line.length <= LINE) return line;
  let out = '';
  let rest = line;
  while (rest.length > LINE) {
    const at = foldPlace(rest, out === '' ? rest.indexOf(':') + 2 : 1);
    if (at === -1) break;
    out += `${rest.slice(0, at)}\r\n`;
    rest = rest.slice(at);
  }
  return out + rest;
}

/** The last white space that keeps the line short, else the next one; never one that leaves a line of blanks. */
function foldPlace(text: string, from: number): number {
  for (let at = LINE; at > from; at--) if (isBreakable(text, at)) return at;
  for (let at = LINE + 1; at < text.length; at++) if (isBreakable(text, at)) return at;
  return -1;
}

function isBreakable(text: string, at: number): boolean {
  return /[ \t]/.test(text.charAt(at)) && /[^ \t]/.test(text.charAt(at - 1));
}

function formatPhrase(name: string, used: number): string {
  const clean = cleanHeaderValue(name).trim();
  if (clean === '') return '';
  if (PRINTABLE.test(clean) && clean.length <= LONGEST_PHRASE && !clean.includes('=?')) {
    return ATOMS.test(clean) ? clean : `"${clean.replace(/["\\]/g, '\\$&')}"`;
  }
  return encodeWords(clean, used);
}

/** Encoded words, one per line; Q encoding where most characters are ASCII, else B. */
function encodeWords(text: string, used: number): string {
  const plain = text.match(/[A-Za-z0-9 ]/g)?.length ?? 0;
  const isQ = plain * 3 > Buffer.byteLength(text) * 2;
  const words: string[] = [];
  let word = '';
  let size = 0;
  for (const char of text) {
    const charSize = isQ ? encodeQ(char).length : byteLength(char);
    const room = (words.length === 0 ? Math.max(30, ENCODED_WORD - used) : ENCODED_WORD) - WORD_OVERHEAD;
    const most = isQ ? room : Math.floor(room / 4) * 3;
    if (size + charSize > most) {
      words.push(word);
      word = '';
      size = 0;
    }
    word += char;
    size += charSize;
  }
  words.push(word);
  return words
    .map((part) => (isQ ? `=?UTF-8?Q?${encodeQ(part)}?=` : `=?UTF-8?B?${encodeB(part)}?=`))
    .join('\r\n ');
}

function byteLength(char: string): number {
  const point = char.codePointAt(0) ?? 0;
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}

/** Letters, digits and a few signs are not encoded, which is safe in display names too (RFC 2047 5 (3)). */
function encodeQ(text: string): string {
  if (/^[A-Za-z0-9!*+\-/]*$/.test(text)) return text;
  let out = '';
  for (const char of text) {
    if (char === ' ') out += '_';
    else if (/[A-Za-z0-9!*+\-/]/.test(char)) out += char;
    else out += encodeCodePoint(char.codePointAt(0) ?? 0);
  }
  return out;
}

function encodeB(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

function percentEncode(text: string): string[] {
  return Array.from(Buffer.from(text, 'utf8'), (byte) => {
    const char = String.fromCharCode(byte);
    return /[A-Za-z0-9!#$&+\-.^_`|~]/.test(char)
      ? char
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

function splitEncoded(units: readonly string[], length: number): string[] {
  const chunks: string[] = [];
  let chunk = '';
  for (const unit of units) {
    if (chunk.length + unit.length > length) {
      chunks.push(chunk);
      chunk = '';
    }
    chunk += unit;
  }
  return [...chunks, chunk];
}
