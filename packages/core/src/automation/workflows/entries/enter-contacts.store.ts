import { ofProject, Prisma, type SqlDb } from '../../../base/db/index.ts';
import {
  countedBlocked,
  type Entered,
  entered,
  enteredCounts,
  wantedEntries,
} from '../runtime/entries.store.ts';
import { entryOf } from './entry.rules.ts';

/** A contact that wants to enter. */
export interface NewEntry {
  contactId: string;
  /** since when the entry counts for `every` */
  at: Date;
  /** of an occurrence, `YYYY-MM-DD` */
  day: string | null;
  /** absent where all have the same */
  context?: Record<string, unknown>;
}

export interface EntryOptions {
  /** whether blocked entries are counted in the figures of the workflow */
  counts: boolean;
  /** of all, where they have none of their own */
  context?: Record<string, unknown>;
  /** the id of each execution, by `k."contactId"`, so that a repeated piece enters nobody twice */
  id?: Prisma.Sql;
}

export interface EnteredWorkflow {
  id: string;
  projectId: string;
  entry: unknown;
  allowReentry: boolean;
  triggerStepId: string | null;
  version: number | null;
}

/** Lets contacts enter a workflow whose row is held, each by its rules (behaviour B14.5). Contacts that are gone are left out. */
export async function enterContacts(
  db: SqlDb,
  workflow: EnteredWorkflow,
  entries: readonly NewEntry[],
  { counts, context = {}, id = Prisma.sql`uuid7()` }: EntryOptions,
): Promise<Entered> {
  const { projectId, version } = workflow;
  const entry = entryOf(workflow.entry);
  const gate = { ...workflow, ...entry, workflowId: workflow.id };
  const wanted = await wantedEntries(
    db,
    projectId,
    entry,
    Prisma.sql`
      SELECT k."contactId", NULL::uuid AS "eventId", ${id} AS "id", now() AS "anchorAt", coalesce(k."context", ${JSON.stringify(context)}::jsonb) AS "context",
        k."at", k."day", ${version}::int AS "version"
      FROM jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) AS k("contactId" uuid, "at" timestamptz, "day" date, "context" jsonb)
      CROSS JOIN LATERAL (SELECT FROM "Contact" WHERE "id" = k."contactId" AND ${ofProject('"projectId"', projectId)} OFFSET 0) c`,
  );
  const [row] = await db.$queryRaw<Entered[]>`
    WITH ${wanted}, ${entered(gate)}${counts ? Prisma.sql`, ${countedBlocked(gate)}` : Prisma.empty}
    SELECT ${enteredCounts}`;
  return row ?? { wanted: 0, started: 0, blocked: {} };
}
