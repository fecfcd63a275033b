import type { Pool } from 'pg';
import type { Texts } from '../../audience/topics/topics.rules.ts';
import {
  type Bindable,
  constant,
  type EmailSource,
  Prisma,
  prepared,
  type SqlDb,
} from '../../base/db/index.ts';
import { contentFields, type EmailContent } from '../../content/templates/index.ts';
import type { LinkTags } from '../message/link-tags.rules.ts';
import {
  type ContentIdentity,
  identifyContent,
  type NewContent,
  type StoredAttachment,
  type StoredRaw,
} from './content.ts';

export interface StoredContent extends Omit<EmailContent, 'body'> {
  id: string;
  projectId: string;
  sourceType: EmailSource;
  /** null once retention cleared it, and while it is sealed */
  body: string | null;
  /** nothing in the texts is a template */
  literal: boolean;
  /** its emails have the link that confirms a subscription request */
  confirms: boolean;
  /** the encrypted body of an email of the platform */
  sealedBody: string | null;
  /** since when it is filled in by plain replacement, because rendering it reached a limit */
  limitedAt: Date | null;
  createdAt: Date;
  headers: Record<string, string>;
  projectName: string;
  language: string;
  /** null without one; of a deleted one too, whose row stays */
  topic: { key: string; name: Texts } | null;
  /** null where links get no tags */
  utm: LinkTags | null;
  /** the postal address of the project's brand, as it is now */
  postalAddress: string | null;
  attachments: (Omit<StoredAttachment, 'blob'> & { content: Buffer })[];
  /** the URLs of its fixed links, once its body is cleared */
  links: string[] | null;
  /** null where messages are made from the texts; without attachments, its bytes are left out */
  raw: (Omit<StoredRaw, 'blob'> & { message: Buffer | null }) | null;
}

interface ContentRow extends Omit<StoredContent, 'attachments' | 'raw'> {
  attachments: StoredAttachment[];
  raw: StoredRaw | null;
}

// Delivery processes read nothing else but by statements like this one, so none of them loads Prisma's compiler, which takes tens of megabytes.
const contentColumns =
  constant(`"id", "projectId", "type", "sourceType", "subject", "preheader", "body", "text", "literal", "confirms", "sealedBody", "from", "fromName", "replyTo",
    "headers", "projectName", "language", "attachments", "raw", "links", "utm", "limitedAt", "createdAt",
    (SELECT jsonb_build_object('key', t."key", 'name', t."name") FROM "Topic" t WHERE t."id" = "Content"."topicId" AND t."projectId" = "Content"."projectId") AS "topic",
    (SELECT p."brand" ->> 'address' FROM "Project" p WHERE p."id" = "Content"."projectId") AS "postalAddress"`);

const contentById = prepared<{ id: string }>(
  'content-by-id',
  ({ id }) => Prisma.sql`SELECT ${contentColumns} FROM "Content" WHERE "id" = ${id}::uuid`,
);

const contentsById = prepared<{ ids: string[] }>(
  'contents-by-id',
  ({ ids }) => Prisma.sql`
  SELECT ${contentColumns} FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS u("of", n)
  CROSS JOIN LATERAL (SELECT * FROM "Content" WHERE "id" = u."of" OFFSET 0) AS "Content" ORDER BY u.n`,
);

/** The content of a request or campaign, with the bytes of its attachments and of a submitted message. */
export async function readContent(
  pool: Pool,
  id: string,
  { attachments = true }: { attachments?: boolean } = {},
): Promise<StoredContent | null> {
  const { rows } = await pool.query<ContentRow>(contentById({ id }));
  const [row] = rows;
  if (!row) return null;
  const stored = attachments ? row.attachments : [];
  const { raw } = row;
  const bytesOf = await readBlobs(pool, row.projectId, [
    ...stored.map(({ blob }) => blob),
    ...(attachments && raw ? [raw.blob] : []),
  ]);
  return {
    ...row,
    attachments: stored.map(({ blob, ...item }) => ({
      ...item,
      content: bytesOf(blob, `the attachment ${item.filename}`),
    })),
    raw: raw && {
      text: raw.text,
      idempotencyKey: raw.idempotencyKey,
      message: attachments ? bytesOf(raw.blob, 'the message') : null,
    },
  };
}

/** The contents that are stored, in the order of `ids`, without bytes of attachments and submitted messages. */
export async function readContents(pool: Pool, ids: readonly string[]): Promise<StoredContent[]> {
  const { rows } = await pool.query<ContentRow>(contentsById({ ids: [...ids] }));
  return rows.map(({ raw, ...row }) => ({
    ...row,
    attachments: [],
    raw: raw && { text: raw.text, idempotencyKey: raw.idempotencyKey, message: null },
  }));
}

/** A content whose bytes are gone: its emails cannot be made any more. */
export class MissingPart extends Error {}

const blobsByHash = prepared<{ projectId: string; hashes: Buffer[] }>(
  'blobs-by-hash',
  ({ projectId, hashes }) => Prisma.sql`
  SELECT "hash", "bytes" FROM "Blob" WHERE "projectId" = ${projectId}::uuid AND "hash" = ANY(${hashes}::bytea[])`,
);

/** Reads blobs by the hex of their hashes. @returns a function that throws, naming what is missing */
async function readBlobs(
  pool: Pool,
  projectId: string,
  hexes: readonly string[],
): Promise<(blob: string, name: string) => Buffer> {
  const hashes = hexes.map((hex) => Buffer.from(hex, 'hex'));
  const blobs =
    hashes.length === 0
      ? []
      : (await pool.query<{ hash: Buffer; bytes: Buffer | null }>(blobsByHash({ projectId, hashes }))).rows;
  const bytes = new Map(blobs.map((blob) => [blob.hash.toString('hex'), blob.bytes]));
  return (blob, name) => {
    const found = bytes.get(blob);
    if (!found) throw new MissingPart(`${name} is no longer stored`);
    return found;
  };
}

const textColumns = Object.fromEntries(contentFields.map((field) => [field, 'text'])) as Record<
  keyof EmailContent,
  'text'
>;

/** The columns of a content and their types; a content's id and hash come from `identifyContent`. */
const columnTypes = {
  ...textColumns,
  id: 'uuid',
  projectId: 'uuid',
  hash: 'bytea',
  type: '"EmailClass"',
  literal: 'boolean',
  confirms: 'boolean',
  sourceType: '"EmailSource"',
  headers: 'jsonb',
  projectName: 'text',
  language: 'text',
  topicId: 'uuid',
  attachments: 'jsonb',
  raw: 'jsonb',
  utm: 'jsonb',
} satisfies Record<keyof NewContent | 'id' | 'hash', string>;

/** The column values of a content. */
export type ContentValues = Omit<
  NewContent,
  'headers' | 'literal' | 'confirms' | 'topicId' | 'attachments' | 'raw' | 'utm'
> & {
  id: string;
  topicId: string | null;
  literal: boolean;
  confirms: boolean;
  hash: Buffer;
  headers: string;
  attachments: string;
  raw: string | null;
  utm: string | null;
};

export const contentValues = (content: NewContent, identity: ContentIdentity): ContentValues => ({
  ...content,
  ...identity,
  literal: content.literal ?? false,
  confirms: content.confirms ?? false,
  topicId: content.topicId ?? null,
  headers: JSON.stringify(content.headers),
  attachments: JSON.stringify(content.attachments),
  raw: content.raw ? JSON.stringify(content.raw) : null,
  utm: content.utm ? JSON.stringify(content.utm) : null,
});

/** Stores a content unless it exists; a statement, or the CTE of a larger one. */
export function insertContent(
  values: {
    [Column in keyof ContentValues]: Bindable<ContentValues[Column]>;
  },
): Prisma.Sql {
  const columns = Object.entries(columnTypes);
  return Prisma.sql`
    INSERT INTO "Content" (${Prisma.join(columns.map(([name]) => Prisma.sql`"${constant(name)}"`))})
    VALUES (${Prisma.join(columns.map(([name, type]) => Prisma.sql`${values[name as keyof ContentValues]}::${constant(type)}`))})
    ON CONFLICT DO NOTHING`;
}

const columnNames = Prisma.join(Object.keys(columnTypes).map((name) => Prisma.sql`"${constant(name)}"`));
const columnList = Prisma.join(
  Object.entries(columnTypes).map(([name, type]) => Prisma.sql`"${constant(name)}" ${constant(type)}`),
);

/** Stores several contents, given as the JSON of `contentJson`, unless they exist; the CTE of a larger statement. */
export const insertContents = (contents: Bindable<string>, condition: Prisma.Sql): Prisma.Sql => Prisma.sql`
    INSERT INTO "Content" (${columnNames})
    SELECT ${columnNames} FROM jsonb_to_recordset(${contents}::jsonb) AS content(${columnList})
    WHERE ${condition} ORDER BY "id"
    ON CONFLICT DO NOTHING`;

/** One element of the JSON that `insertContents` takes. */
export const contentJson = (content: NewContent, { id, hash }: ContentIdentity): object => ({
  ...content,
  literal: content.literal ?? false,
  confirms: content.confirms ?? false,
  id,
  hash: `\\x${hash.toString('hex')}`,
});

/**
 * Stores the content of a campaign, a step or a test email.
 *
 * @param identity of a content that is not named by its texts
 * @returns its id
 */
export async function storeContent(
  db: SqlDb,
  content: NewContent,
  identity: ContentIdentity = identifyContent(content, new Date()),
): Promise<string> {
  const values = contentValues(content, identity);
  await db.$executeRaw(insertContent(values));
  return values.id;
}

/**
 * Gives the rest of a campaign the texts and the sender that were decided for it, and names the variant in the tags of its links. Nothing of it may have been
 * claimed before.
 */
export async function rewriteContent(
  db: SqlDb,
  projectId: string,
  id: string,
  { subject, preheader, body, text, from, fromName, replyTo }: EmailContent,
  variant: string,
): Promise<void> {
  await db.$executeRaw(Prisma.sql`
UPDATE "Content" SET "subject" = ${subject}, "preheader" = ${preheader}, "body" = ${body}, "text" = ${text}, "from" = ${from},
  "fromName" = ${fromName}, "replyTo" = ${replyTo}, "utm" = jsonb_set("utm", '{content}', to_jsonb(${variant}::text))
WHERE "id" = ${id}::uuid AND "projectId" = ${projectId}::uuid`);
}
