import type { Db, PendingMailKind } from '../../base/db/index.ts';

export interface PendingMail {
  id: string;
  kind: PendingMailKind;
  email: string;
}

export async function addPendingMail(db: Db, mail: PendingMail): Promise<void> {
  await db.pendingMail.create({ data: mail });
}

/** Takes the first request after `after` that no other process is working on; it is gone if the transaction commits. */
export async function takePendingMail(db: Db, after: string): Promise<PendingMail | null> {
  const rows = await db.$queryRaw<PendingMail[]>`
    DELETE FROM "PendingMail" WHERE "id" = (
      SELECT "id" FROM "PendingMail" WHERE "id" > ${after}::uuid ORDER BY "id" LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING "id", "kind"::text AS "kind", "email"`;
  return rows[0] ?? null;
}
