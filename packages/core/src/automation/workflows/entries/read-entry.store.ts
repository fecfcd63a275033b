import { zoneOfContact } from '../../../audience/contacts/index.ts';
import { type Db, ofProject } from '../../../base/db/index.ts';
import { timeZoneOfProject } from '../../../people/projects/index.ts';
import { takenEvents } from '../runtime/dispatch.store.ts';
import type { TriggerConfig } from '../triggers/trigger.rules.ts';
import { readDated } from './due-entries.store.ts';
import { dateTriggerOf, keyOfDate, nextOccurrence } from './occurrence.rules.ts';

/** What is recorded of the entries of a contact, for explanations. */

interface OfContact {
  projectId: string;
  contactId: string;
}

export async function findEntry(
  db: Db,
  { projectId, workflowId, contactId }: OfContact & { workflowId: string },
): Promise<{ entries: number; lastAt: Date } | null> {
  const [row] = await db.$queryRaw<{ entries: number; lastAt: Date }[]>`
    SELECT "entries", "lastAt" FROM "WorkflowEntry"
    WHERE "workflowId" = ${workflowId}::uuid AND "contactId" = ${contactId}::uuid AND ${ofProject('"projectId"', projectId)}`;
  return row ?? null;
}

/** Which of some events a trigger takes. */
export async function findTakenEvents(
  db: Db,
  projectId: string,
  config: TriggerConfig,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const { joins, matches } = await takenEvents(db, projectId, config);
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT e."id"::text AS "id" FROM unnest(${[...ids]}::uuid[]) AS k("id") CROSS JOIN LATERAL (
      SELECT "id", "data" FROM "Event" WHERE "id" = k."id" AND ${ofProject('"projectId"', projectId)} OFFSET 0) e${joins}
    WHERE ${matches}`;
  return rows.map(({ id }) => id);
}

/** What a contact has in the field of a DATE trigger, and when it enters next by it. */
export async function dateOfContact(
  db: Db,
  { projectId, contactId }: OfContact,
  { timeZone }: { timeZone: string | null },
  config: TriggerConfig,
  now: Date,
) {
  const trigger = dateTriggerOf(config);
  if (trigger === null) return null;
  const [contact] = await readDated(db, projectId, keyOfDate(trigger), [contactId]);
  const zone = zoneOfContact(contact?.timezone, timeZone ?? (await timeZoneOfProject(db, projectId)));
  const found = contact ? nextOccurrence(trigger, contact.value, zone, now.getTime()) : null;
  return {
    field: trigger.field,
    value: contact?.value ?? null,
    next: found && { day: found.day, at: new Date(found.at) },
  };
}
