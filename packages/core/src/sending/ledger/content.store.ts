import type { Db, EmailClass, EmailSource, SqlDb } from '../../db/index.ts';
import { identifyContent, type NewContent, type StoredAttachment } from '../content.rules.ts';

export interface StoredContent {
  id: string;
  projectId: string;
  type: EmailClass;
  sourceType: EmailSource;
  subject: string;
  /** null once retention cleared it */
  body: string | null;
  from: string;
  fromName: string | null;
  replyTo: string | null;
  headers: Record<string, string>;
  projectName: string;
  language: string;
  attachments: (Omit<StoredAttachment, 'blob'> & { content: Buffer })[];
  /** where its fixed links lead, once its body is cleared */
  links: string[] | null;
}

/** What a request or campaign says, with the bytes of its attachments. */
export async function readContent(
  db: Db,
  id: string,
  { attachments = true }: { attachments?: boolean } = {},
): Promise<StoredContent | null> {
  const row = await db.content.findUnique({ where: { id } });
  if (!row) return null;
  const stored = attachments ? (row.attachments as unknown as StoredAttachment[]) : [];
  const hashes = stored.map((item) => Uint8Array.from(Buffer.from(item.blob, 'hex')));
  const blobs =
    hashes.length === 0
      ? []
      : await db.blob.findMany({
          where: { projectId: row.projectId, hash: { in: hashes } },
          select: { hash: true, bytes: true },
        });
  const bytesOf = new Map(blobs.map((blob) => [Buffer.from(blob.hash).toString('hex'), blob.bytes]));
  return {
    ...row,
    headers: row.headers as Record<string, string>,
    links: row.links as string[] | null,
    attachments: stored.map(({ blob, ...item }) => {
      const bytes = bytesOf.get(blob);
      if (!bytes) throw new Error(`the attachment ${item.filename} is no longer stored`);
      return { ...item, content: Buffer.from(bytes) };
    }),
  };
}

/** Stores what a campaign says, once. @returns its id */
export async function storeContent(db: SqlDb, content: NewContent): Promise<string> {
  const { id, hash } = identifyContent(content, new Date());
  await db.$executeRaw`
    INSERT INTO "Content" ("id", "projectId", "hash", "type", "sourceType", "subject", "body", "from", "fromName", "replyTo", "headers",
      "projectName", "language", "attachments")
    VALUES (${id}::uuid, ${content.projectId}::uuid, ${hash}, ${content.type}::"EmailClass", ${content.sourceType}::"EmailSource",
      ${content.subject}, ${content.body}, ${content.from}, ${content.fromName}, ${content.replyTo},
      ${JSON.stringify(content.headers)}::jsonb, ${content.projectName}, ${content.language},
      ${JSON.stringify(content.attachments)}::jsonb)
    ON CONFLICT DO NOTHING`;
  return id;
}
