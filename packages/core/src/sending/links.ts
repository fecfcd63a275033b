import type { Secrets } from '../kernel/secrets.ts';

/** The payload of a link in an email. Tokens are bound to one contact and, in an email, to that email. */
export type LinkToken =
  | { kind: 'preferences'; contactId: string | null; emailId: string | null }
  | { kind: 'open'; emailId: string }
  /** `linkId` is the index of a fixed link in its content's table; the token of a rendered link carries its URL */
  | { kind: 'click'; emailId: string; target: { linkId: number } | { url: string } };

const kinds = { preferences: 1, open: 2, clickId: 3, clickUrl: 4 } as const;
const noId = Buffer.alloc(16);

export function encodeLink(secrets: Secrets, token: LinkToken): string {
  return secrets.sign('link', payloadOf(token));
}

/** Node accepts request lines up to about this length, so longer tokens cannot come from a followed link. */
const longestToken = 16_000;

/** @returns null for every token without a valid signature, of any length */
export function decodeLink(secrets: Secrets, text: string): LinkToken | null {
  if (text.length > longestToken) return null;
  const payload = secrets.verify('link', text);
  if (!payload || payload.length < 17) return null;
  const first = bytesToId(payload.subarray(1, 17));
  switch (payload[0]) {
    case kinds.preferences:
      return { kind: 'preferences', contactId: first, emailId: bytesToId(payload.subarray(17, 33)) };
    case kinds.open:
      return first ? { kind: 'open', emailId: first } : null;
    case kinds.clickId:
      return first ? { kind: 'click', emailId: first, target: { linkId: payload.readUInt16BE(17) } } : null;
    case kinds.clickUrl:
      return first
        ? { kind: 'click', emailId: first, target: { url: payload.subarray(17).toString('utf8') } }
        : null;
    default:
      return null;
  }
}

function payloadOf(token: LinkToken): Buffer {
  switch (token.kind) {
    case 'preferences':
      return Buffer.concat([
        Buffer.of(kinds.preferences),
        idToBytes(token.contactId),
        idToBytes(token.emailId),
      ]);
    case 'open':
      return Buffer.concat([Buffer.of(kinds.open), idToBytes(token.emailId)]);
    case 'click': {
      if ('url' in token.target) {
        return Buffer.concat([
          Buffer.of(kinds.clickUrl),
          idToBytes(token.emailId),
          Buffer.from(token.target.url, 'utf8'),
        ]);
      }
      const link = Buffer.alloc(2);
      link.writeUInt16BE(token.target.linkId);
      return Buffer.concat([Buffer.of(kinds.clickId), idToBytes(token.emailId), link]);
    }
  }
}

const idToBytes = (id: string | null): Buffer =>
  id === null ? noId : Buffer.from(id.replaceAll('-', ''), 'hex');

function bytesToId(bytes: Buffer): string | null {
  if (bytes.length !== 16 || bytes.equals(noId)) return null;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
