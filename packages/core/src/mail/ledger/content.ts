import { createHash, hash as hashOnce } from 'node:crypto';
import type { EmailSource } from '../../base/db/index.ts';
import type { EmailContent } from '../../content/templates/index.ts';
import type { LinkTags } from '../message/link-tags.rules.ts';

export interface StoredAttachment {
  filename: string;
  contentType: string;
  contentId: string | null;
  disposition: 'attachment' | 'inline';
  /** hex of the blob's hash */
  blob: string;
}

/** A message that is sent as it is (decision 024). The other fields of its content are read from it, for lists and previews. */
export interface StoredRaw {
  /** hex of the hash of the blob with the whole message */
  blob: string;
  /** its plain text part; null if it has none */
  text: string | null;
  /** of the request that brought it */
  idempotencyKey: string | null;
}

/** Everything that the emails of one request or campaign share. */
export interface NewContent extends EmailContent {
  projectId: string;
  sourceType: EmailSource;
  /** absent where the texts are templates */
  literal?: true;
  /** whether its emails have the link that confirms a subscription request, whose id is theirs */
  confirms?: true;
  headers: Record<string, string>;
  projectName: string;
  language: string;
  /** absent without a topic of its own */
  topicId?: string;
  /** absent where links get no tags */
  utm?: LinkTags;
  attachments: StoredAttachment[];
  /** absent where messages are made from the texts */
  raw?: StoredRaw;
}

/** The topic of a template or campaign as that of its content. */
export const ofTopic = ({ topicId }: { topicId: string | null }): Pick<NewContent, 'topicId'> =>
  topicId === null ? {} : { topicId };

/** The tags of links as those of a content. */
export const ofLinkTags = (utm: LinkTags | null): Pick<NewContent, 'utm'> => (utm === null ? {} : { utm });

export interface ContentIdentity {
  id: string;
  hash: Buffer;
}

const dayMs = 86_400_000;

/**
 * Hash and id of a content. The id is derived from the hash, so a statement can reference a content without looking
 * it up. The hash includes the week of creation: email of a new week never shares a row that retention may clear.
 */
export function identifyContent({ body, ...content }: NewContent, now: Date): ContentIdentity {
  const week = Math.floor(now.getTime() / (7 * dayMs));
  // The body comes last and as it is: JSON has no newline, so no other content gives the same text.
  const hash = hashOnce('sha256', `${week}\n${JSON.stringify(content)}\n${body}`, 'buffer');
  return { id: hashToUuid(hash), hash };
}

/**
 * Hash and id of the content of the rest of a campaign that compares variants. It is made from the campaign alone, because the texts are decided
 * later, and no other email shares it.
 */
export function identifyRest(campaignId: string): ContentIdentity {
  const hash = hashOnce('sha256', `rest\n${campaignId}`, 'buffer');
  return { id: hashToUuid(hash), hash };
}

/** Hash and id of an attachment, by day: attachments are kept for a day after their last email (B8.5). */
export function identifyBlob(bytes: Buffer, now: Date): Buffer {
  const day = Math.floor(now.getTime() / dayMs);
  return createHash('sha256').update(`${day}\n`).update(bytes).digest();
}

/** UUID version 8 (RFC 9562 5.8): a custom layout, here the first bits of a hash. */
function hashToUuid(hash: Buffer): string {
  const bytes = Buffer.from(hash.subarray(0, 16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
