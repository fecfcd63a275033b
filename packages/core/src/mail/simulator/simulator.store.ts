import type { Pool } from 'pg';
import { Prisma, prepared } from '../../base/db/index.ts';

/** What the simulator does about an email after its hand-over. */
export type TaskKind =
  | 'delivered'
  | 'opened'
  | 'clicked'
  | 'bounced'
  | 'softbounced'
  | 'complained'
  | 'unsubscribed'
  | 'autoreplied';

export interface NewTask {
  id: string;
  projectId: string;
  emailId: string;
  kind: TaskKind;
  /** of a click: the token of the link */
  link: string | null;
  afterMs: number;
}

export interface DueTask extends Omit<NewTask, 'afterMs'> {
  dueAt: Date;
  /** whose links the email has; null for an email that is gone, or that went to another person */
  contactId: string | null;
  /** whether its email was not sent after all */
  isUnsent: boolean;
}

const insert = prepared<{ tasks: string }>(
  'insert-simulator-tasks',
  ({ tasks }) => Prisma.sql`
INSERT INTO "SimulatorTask" ("id", "projectId", "emailId", "kind", "link", "dueAt")
SELECT t."id", t."projectId", t."emailId", t."kind", t."link", clock_timestamp() + t."afterMs" * interval '1 millisecond'
FROM jsonb_to_recordset(${tasks}::jsonb) AS t("id" uuid, "projectId" uuid, "emailId" uuid, "kind" text, "link" text, "afterMs" float8)
ORDER BY t."emailId", t."kind"
ON CONFLICT DO NOTHING`,
);

/** Stores tasks durably. Those that an email has already stay as they are. */
export async function insertTasks(pool: Pool, tasks: readonly NewTask[]): Promise<void> {
  await pool.query(insert({ tasks: JSON.stringify(tasks) }));
}

const claim = prepared<{ limit: number; leaseMs: number }>(
  'claim-simulator-tasks',
  ({ limit, leaseMs }) => Prisma.sql`
WITH "due" AS MATERIALIZED (
  SELECT "emailId", "kind", "dueAt" FROM "SimulatorTask" WHERE "dueAt" <= clock_timestamp()
  ORDER BY "dueAt" LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
)
UPDATE "SimulatorTask" t SET "dueAt" = clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond'
FROM "due" d LEFT JOIN "Email" e ON e."id" = d."emailId"
WHERE t."emailId" = d."emailId" AND t."kind" = d."kind"
RETURNING t."id", t."projectId", t."emailId", t."kind", t."link", d."dueAt",
  CASE WHEN NOT e."toOther" THEN e."contactId" END AS "contactId",
  coalesce(e."status" IN ('FAILED', 'SKIPPED'), true) AS "isUnsent"`,
);

/** Takes tasks that are due, for `leaseMs`: if they are not removed by then, they are due again. In the order of their times. */
export async function claimTasks(pool: Pool, limit: number, leaseMs: number): Promise<DueTask[]> {
  const { rows } = await pool.query<DueTask>(claim({ limit, leaseMs }));
  return rows.toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime());
}

const next = prepared<Record<string, never>>(
  'next-simulator-task',
  () => Prisma.sql`
SELECT extract(epoch FROM "dueAt" - clock_timestamp())::float8 * 1000 AS "nextMs" FROM "SimulatorTask" ORDER BY "dueAt" LIMIT 1`,
);

/** Time until the next task is due; null when none waits. */
export async function nextTaskMs(pool: Pool): Promise<number | null> {
  const { rows } = await pool.query<{ nextMs: number }>(next({}));
  return rows[0]?.nextMs ?? null;
}

const remove = prepared<{ emailIds: string[]; kinds: string[] }>(
  'remove-simulator-tasks',
  ({ emailIds, kinds }) => Prisma.sql`
DELETE FROM "SimulatorTask" t USING (
  SELECT "emailId", "kind" FROM unnest(${emailIds}::uuid[], ${kinds}::text[]) AS u("emailId", "kind") ORDER BY 1, 2
) u WHERE t."emailId" = u."emailId" AND t."kind" = u."kind"`,
);

/** Removes tasks that were done. */
export async function removeTasks(
  pool: Pool,
  tasks: readonly Pick<DueTask, 'emailId' | 'kind'>[],
): Promise<void> {
  await pool.query(
    remove({ emailIds: tasks.map(({ emailId }) => emailId), kinds: tasks.map(({ kind }) => kind) }),
  );
}
