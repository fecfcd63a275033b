import type { Db } from '../../../base/db/index.ts';

/** What is done in the background after the update that brought the log, in this order (migration of existing data, behaviour B12.4). */
export const parts = ['indexes', 'history', 'changes', 'creations'] as const;
export type Part = (typeof parts)[number];

export interface Pass {
  part: Part;
  position: string;
}

/** The part to go on with; null when all is done, or has to wait. */
export async function currentPass(db: Db): Promise<Pass | null> {
  await db.consentPass.createMany({ data: parts.map((part) => ({ part })), skipDuplicates: true });
  const open = await db.consentPass.findMany({ where: { completedAt: null } });
  const rows = open as unknown as Pass[];
  const [next] = parts.flatMap((part) => rows.filter((row) => row.part === part));
  if (!next) return null;
  if (next.part !== 'changes' && next.part !== 'creations') return next;
  // Processes of the version before may run on for a while after an update: nothing is refused until they are gone.
  const [waiting] = await db.$queryRaw<{ over: boolean }[]>`
    SELECT coalesce("completedAt" < now() - interval '1 hour', false) AS "over" FROM "ConsentPass" WHERE "part" = 'history'`;
  return waiting?.over ? next : null;
}

export const savePass = (db: Db, part: Part, next: string | null, done: number): Promise<unknown> =>
  db.consentPass.update({
    where: { part },
    data: {
      ...(next === null ? { completedAt: new Date() } : { position: next }),
      done: { increment: done },
    },
  });

/** Whether contacts from before there was a log are in it. */
export const isHistoryDone = async (db: Db): Promise<boolean> =>
  (await db.consentPass.count({ where: { part: 'history', completedAt: null } })) === 0;

/** Indexes of tables that may be large, which an update makes beside running writes. Each statement is run outside of a transaction. */
const indexes = {
  Contact_not_subscribed: `CREATE INDEX CONCURRENTLY IF NOT EXISTS "Contact_not_subscribed" ON "Contact" ("projectId", "createdAt", "id")
    INCLUDE ("snoozedUntil", "pendingUntil", "stated", "email") WHERE NOT "subscribed"`,
  Content_topic: `CREATE INDEX CONCURRENTLY IF NOT EXISTS "Content_topic" ON "Content" ("topicId") WHERE "topicId" IS NOT NULL`,
  Blob_eraseAt: `CREATE INDEX CONCURRENTLY IF NOT EXISTS "Blob_eraseAt" ON "Blob" ("eraseAt") WHERE "eraseAt" IS NOT NULL`,
};

export async function makeIndexes(db: Db): Promise<void> {
  for (const [name, statement] of Object.entries(indexes)) {
    // One whose making was interrupted exists, and is used by nothing.
    const broken = await db.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relname = ${name} AND NOT i.indisvalid`;
    if (broken.length > 0) await db.$executeRawUnsafe(`DROP INDEX CONCURRENTLY IF EXISTS "${name}"`);
    await db.$executeRawUnsafe(statement);
  }
  await db.$executeRawUnsafe('DROP INDEX CONCURRENTLY IF EXISTS "Contact_unsubscribed"');
}

export interface HistoryPage {
  projectId: string;
  ids: string[];
}

/**
 * The next contacts in the order of their ids, by project. The order names the column: `ORDER BY "id"` would mean the text that is
 * returned, which has no index.
 *
 * @returns `next` is null after the last page
 */
export async function pageOfContacts(
  db: Db,
  position: string,
  limit: number,
): Promise<{ pages: HistoryPage[]; next: string | null; count: number }> {
  const rows = await db.$queryRaw<{ id: string; projectId: string }[]>`
    SELECT c."id"::text, c."projectId"::text FROM "Contact" c
    WHERE c."id" > ${position === '' ? '00000000-0000-0000-0000-000000000000' : position}::uuid ORDER BY c."id" LIMIT ${limit}::int`;
  const byProject = Map.groupBy(rows, ({ projectId }) => projectId);
  return {
    pages: [...byProject].map(([projectId, group]) => ({ projectId, ids: group.map(({ id }) => id) })),
    next: rows.length < limit ? null : (rows.at(-1)?.id ?? null),
    count: rows.length,
  };
}

/**
 * Makes acts of the stored events of contacts that happened before the first act of each. Unique by the event, and below all other acts in the order of
 * effect: the state that the first act carries counts, not they.
 */
export const actsOfEvents = (db: Db, { projectId, ids }: HistoryPage): Promise<number> => db.$executeRaw`
  INSERT INTO "ConsentAct" ("seq", "projectId", "contactId", "at", "action", "effect", "source", "actor", "basis", "optOutBy", "until", "emailId", "eventId")
  SELECT nextval('"ConsentHistorySeq"'), ${projectId}::uuid, e."contactId", e."createdAt", e."action", 'changed',
    CASE WHEN e."reason" IN ('api', 'dashboard', 'bulk', 'import', 'page', 'one_click', 'workflow', 'snooze_ended', 'bounce', 'complaint')
      THEN e."reason" WHEN e."reason" = 'snooze' THEN 'page' ELSE 'migration' END::"ConsentSource",
    CASE WHEN e."reason" IN ('page', 'one_click', 'snooze') THEN 'recipient' WHEN e."reason" = 'api' THEN 'key' ELSE 'system' END::"ConsentActor",
    CASE WHEN e."action" = 'subscribe' THEN 'unknown' END::"ConsentBasis",
    CASE WHEN e."action" = 'unsubscribe' THEN CASE WHEN e."reason" IN ('page', 'one_click', 'bounce', 'complaint', 'import') THEN 'recipient'
      ELSE 'request' END END::"OptOutBy",
    e."until", e."emailId", e."id"
  FROM (
    SELECT e."id", e."contactId", e."createdAt", e."emailId", e."data" ->> 'reason' AS "reason",
      CASE WHEN e."name" = 'contact.subscribed' THEN CASE WHEN e."data" ->> 'reason' = 'snooze_ended' THEN 'resume' ELSE 'subscribe' END
        WHEN e."data" ->> 'reason' = 'snooze' THEN 'snooze' ELSE 'unsubscribe' END::"ConsentAction" AS "action",
      CASE WHEN e."data" ->> 'reason' = 'snooze' THEN (e."data" ->> 'snoozedUntil')::timestamptz END AS "until"
    FROM unnest(${[...ids]}::uuid[]) AS k("id") CROSS JOIN LATERAL (
      SELECT * FROM "Event" v WHERE v."contactId" = k."id" AND v."projectId" IS NOT DISTINCT FROM ${projectId}::uuid AND v."kind" = 'SYSTEM'
        AND v."name" IN ('contact.subscribed', 'contact.unsubscribed')
        AND v."createdAt" < coalesce((SELECT min(a."recordedAt") FROM "ConsentAct" a WHERE a."contactId" = k."id" AND a."eventId" IS NULL), 'infinity')
      OFFSET 0) e
    ORDER BY e."contactId", e."createdAt", e."id"
  ) e
  ON CONFLICT ("eventId") WHERE "eventId" IS NOT NULL DO NOTHING`;

/** Paused contacts whose last opt-out was none of a pause: they had unsubscribed while it ran, and must not be subscribed at its end. */
export async function leftWhilePaused(db: Db, { projectId, ids }: HistoryPage): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT c."id"::text FROM "Contact" c CROSS JOIN LATERAL (
      SELECT e."data" ->> 'reason' AS "reason" FROM "Event" e
      WHERE e."contactId" = c."id" AND e."projectId" IS NOT DISTINCT FROM ${projectId}::uuid AND e."name" = 'contact.unsubscribed'
      ORDER BY e."createdAt" DESC, e."id" DESC LIMIT 1) e
    WHERE c."projectId" IS NOT DISTINCT FROM ${projectId}::uuid AND c."id" = ANY(${[...ids]}::uuid[])
      AND NOT c."subscribed" AND c."snoozedUntil" IS NOT NULL AND c."consentSeq" IS NULL AND e."reason" IS DISTINCT FROM 'snooze'`;
  return rows.map(({ id }) => id);
}

/**
 * Contacts that nobody ever stated anything of: not subscribed, never changed, without an opt-out, made by the transaction that accepted a
 * transactional email to them. Everybody else who is not subscribed has unsubscribed. The rows of those who
 * are subscribed stay as they are, since writing one also writes into every index of contacts: without a basis, it is `unknown` (`basis_of`).
 */
export async function settleContacts(db: Db, { projectId, ids }: HistoryPage): Promise<void> {
  await db.$executeRaw`
    UPDATE "Contact" c SET "stated" = false, "consentSeq" = 0 FROM (
      SELECT c."id" FROM "Contact" c CROSS JOIN LATERAL (
        SELECT e."sourceType", e."type", e."createdAt" FROM "Email" e
        WHERE e."projectId" IS NOT DISTINCT FROM ${projectId}::uuid AND e."contactId" = c."id" ORDER BY e."createdAt", e."id" LIMIT 1) e
      WHERE c."projectId" IS NOT DISTINCT FROM ${projectId}::uuid AND c."id" = ANY(${[...ids]}::uuid[])
        AND NOT c."subscribed" AND c."consentSeq" IS NULL AND c."snoozedUntil" IS NULL AND c."optedOutAt" IS NULL AND c."subscriptionChangedAt" IS NULL
        AND e."sourceType" = 'TRANSACTIONAL' AND e."type" = 'TRANSACTIONAL' AND e."createdAt" = c."createdAt"
      ORDER BY c."email" FOR NO KEY UPDATE OF c
    ) n WHERE c."id" = n."id"`;
}
