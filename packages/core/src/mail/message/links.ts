import type { Secrets } from '../../base/kernel/secrets.ts';
import { idTokenPurposeOf } from '../../base/lib/id-tokens.ts';
import type { LinkOwner } from './message-content.ts';

/** The payload of a link in an email. Tokens are bound to one contact and, in an email, to that email. */
export type LinkToken =
  | { kind: 'preferences'; contactId: string | null; emailId: string | null }
  | { kind: 'open'; emailId: string }
  /** `linkId` is the index of a fixed link in its content's table; the token of a rendered link carries its URL */
  | { kind: 'click'; emailId: string; target: { linkId: number } | { url: string } };

/** The tokens of one owner's links. */
export interface OwnerTokens {
  preferences: string;
  open: string;
  /** without the number of a link and its tag */
  click: string;
}

/** The first byte of a signed token; all but the last are only read, in email sent before tokens of ids existed. */
const kinds = { preferences: 1, open: 2, clickId: 3, clickUrl: 4 } as const;
const noIdHex = '0'.repeat(32);
const dash = 0x2d;
/** The value of each hexadecimal digit by its character code; -1 for other characters. */
const hexDigits = Int8Array.from({ length: 128 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase()),
);

/** Node accepts request lines up to about this length, so longer tokens cannot come from a followed link. */
const longestToken = 16_000;

/** The token of an email, the number of a link, and the number's tag. */
const clickForm = /^(.*)-(0|[1-9]\d{0,4})-([\w-]{12})$/s;
/** Without a tag: it could only choose among the links of that email's content. Email sent before numbers had tags has this form. */
const untaggedClickForm = /^(.*)-(0|[1-9]\d{0,4})$/s;

/** The tokens of many owners, for the price of a few native calls. */
export function tokensOf(secrets: Secrets, owners: readonly LinkOwner[]): OwnerTokens[] {
  const contacts = idColumn(owners.map(({ contactId }) => contactId));
  const emails = idColumn(owners.map(({ emailId }) => emailId));
  const preferences = secrets.idTokens('preferences', [contacts, emails]);
  const opens = secrets.idTokens('open', [emails]);
  const clicks = secrets.idTokens('link', [emails]);
  return preferences.map((token, index) => ({
    preferences: token,
    open: opens[index] ?? '',
    click: clicks[index] ?? '',
  }));
}

/** The token of a link to a fixed URL of the content, from the email's own `click` token. */
export const clickToken = (secrets: Secrets, click: string, linkId: number): string =>
  `${click}-${linkId}-${secrets.numberTag(linkId)}`;

export function encodeLink(secrets: Secrets, token: LinkToken): string {
  switch (token.kind) {
    case 'preferences':
      return first(secrets.idTokens('preferences', [idColumn([token.contactId]), idColumn([token.emailId])]));
    case 'open':
      return first(secrets.idTokens('open', [idColumn([token.emailId])]));
    case 'click': {
      const email = idColumn([token.emailId]);
      if ('linkId' in token.target)
        return clickToken(secrets, first(secrets.idTokens('link', [email])), token.target.linkId);
      return secrets.sign(
        'link',
        Buffer.concat([Buffer.of(kinds.clickUrl), email, Buffer.from(token.target.url, 'utf8')]),
      );
    }
  }
}

/** The token of the link by which the reader of a mailbox disowns the account that was made with its address (behaviour B11.4). */
export const encodeAccountLink = (secrets: Secrets, userId: string): string =>
  first(secrets.idTokens('account', [idColumn([userId])]));

/** @returns the id of the user; null for every token without a valid tag */
export const decodeAccountLink = (secrets: Secrets, text: string): string | null =>
  text.length > longestToken ? null : bytesToId(secrets.readIdToken('account', text));

/** The token of the link that confirms a subscription request (behaviour B12.5): it is made when the email is, so that none is stored. */
export const encodeConfirmLink = (secrets: Secrets, requestId: string): string =>
  first(secrets.idTokens('confirm', [idColumn([requestId])]));

/** @returns the id of the request; null for every token without a valid tag */
export const decodeConfirmLink = (secrets: Secrets, text: string): string | null =>
  text.length > longestToken ? null : bytesToId(secrets.readIdToken('confirm', text));

/** @returns null for every token without a valid tag, of any length */
export function decodeLink(secrets: Secrets, text: string): LinkToken | null {
  if (text.length > longestToken) return null;
  switch (idTokenPurposeOf(text)) {
    case 'preferences': {
      const ids = secrets.readIdToken('preferences', text);
      return ids && { kind: 'preferences', contactId: bytesToId(ids), emailId: bytesToId(ids.subarray(16)) };
    }
    case 'open': {
      const emailId = bytesToId(secrets.readIdToken('open', text));
      return emailId === null ? null : { kind: 'open', emailId };
    }
    case 'link': {
      const [, token = '', number = '', tag = ''] = clickForm.exec(text) ?? [];
      const linkId = Number(number);
      const emailId = bytesToId(secrets.readIdToken('link', token));
      if (emailId === null || !secrets.isNumberTag(tag, linkId, token)) return null;
      return { kind: 'click', emailId, target: { linkId } };
    }
    case 'click': {
      const [, token = '', linkId = ''] = untaggedClickForm.exec(text) ?? [];
      const emailId = bytesToId(secrets.readIdToken('click', token));
      return emailId === null ? null : { kind: 'click', emailId, target: { linkId: Number(linkId) } };
    }
    default:
      return decodeSigned(secrets.verify('link', text));
  }
}

/** The token of a rendered URL, or of any link in email sent before tokens of ids existed; those links stay valid. */
function decodeSigned(payload: Buffer | null): LinkToken | null {
  if (!payload || payload.length < 17) return null;
  const id = bytesToId(payload.subarray(1));
  if (payload[0] === kinds.preferences) {
    return { kind: 'preferences', contactId: id, emailId: bytesToId(payload.subarray(17)) };
  }
  if (id === null) return null;
  switch (payload[0]) {
    case kinds.open:
      return { kind: 'open', emailId: id };
    case kinds.clickId:
      return { kind: 'click', emailId: id, target: { linkId: payload.readUInt16BE(17) } };
    case kinds.clickUrl:
      return { kind: 'click', emailId: id, target: { url: payload.subarray(17).toString('utf8') } };
    default:
      return null;
  }
}

const first = (tokens: readonly string[]): string => tokens[0] ?? '';

/** The ids, 16 bytes each. */
function idColumn(ids: readonly (string | null)[]): Buffer {
  const bytes = Buffer.alloc(ids.length * 16);
  ids.forEach((id, index) => {
    if (id !== null) writeId(bytes, index * 16, id);
  });
  return bytes;
}

/** A loop, because removing the dashes for `Buffer.from` takes ten times as long. */
function writeId(bytes: Buffer, from: number, id: string): void {
  let to = from * 2;
  for (let at = 0; at < id.length; at++) {
    const code = id.charCodeAt(at);
    if (code === dash) continue;
    const digit = hexDigits[code] ?? -1;
    if (digit < 0 || to >= from * 2 + 32) throw new TypeError('A link names contacts and emails by UUIDs.');
    bytes[to >> 1] = ((bytes[to >> 1] ?? 0) << 4) | digit;
    to++;
  }
  if (to !== from * 2 + 32) throw new TypeError('A link names contacts and emails by UUIDs.');
}

/** The id in the first 16 bytes; null when they are missing or zero. */
function bytesToId(bytes: Buffer | null): string | null {
  if (!bytes || bytes.length < 16) return null;
  const hex = bytes.toString('hex', 0, 16);
  if (hex === noIdHex) return null;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
