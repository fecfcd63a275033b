import type { Pool } from 'pg';
import { constant, databaseCode, type Outcome, Prisma, prepared, refusedWith } from '../../base/db/index.ts';
import { eventRow, insertEvents, storedWithName } from '../../base/event-types/index.ts';
import {
  type KeyRowInput,
  keyRowColumns,
  keyRowOf,
  usedKeysCte,
  usesFreeKey,
} from '../../base/idempotency/index.ts';
import {
  type ContactRowInput,
  contactRowColumns,
  contactRows,
  locatedContacts,
  storedContacts,
  storedContactsCheck,
} from '../contacts/index.ts';
import type { TrackedEvent, TrackRequest } from './events.store.ts';

interface Row extends ContactRowInput, KeyRowInput {
  n: number;
  eventId: string;
  event: string;
  eventData: Record<string, unknown> | null;
}

/* Every refusal is found before anything is written. A limit of the project would be one of them. */
const trackGroup = prepared<{ rows: string; ttlHours: number }>(
  'track-group',
  ({ rows, ttlHours }) => Prisma.sql`
WITH "row" AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset(${rows}::jsonb) AS r("n" int, ${contactRowColumns}, ${keyRowColumns},
    "eventId" uuid, "event" text, "eventData" jsonb)
), ${locatedContacts}, "checked" AS MATERIALIZED (
  SELECT l.*, CASE WHEN l."isBusy" THEN 'alone' WHEN l."isTooLarge" THEN 'data_too_large:' || l."address" END AS "refusal" FROM "located" l
), ${usedKeysCte(ttlHours, { eventId: constant('(array_agg("eventId"))[1]') })}, "decided" AS MATERIALIZED (
  SELECT c.*, coalesce("refusal", CASE WHEN NOT ${usesFreeKey} THEN 'idempotency' END) AS "decision" FROM "checked" c
), "accepted" AS MATERIALIZED (
  SELECT * FROM "decided" WHERE "decision" IS NULL
), ${storedContacts}, "event" AS (
  ${insertEvents}
  ${eventRow({
    ...storedWithName('CUSTOM', constant('"event"')),
    id: constant('"eventId"'),
    projectId: constant('"project"'),
    data: constant('"eventData"'),
    contactId: constant('"contactId"'),
  })}
  FROM "accepted"
)
SELECT "n", "contactId", "decision", now()::timestamptz(3) AS "createdAt", ${storedContactsCheck('track')} FROM "decided"`,
);

interface Decision extends TrackedEvent {
  n: number;
  decision: string | null;
}

/** Stores several tracked events in one statement: the same rules as `storeTracked`, each request with an outcome of its own. */
export async function trackTogether(
  pool: Pool,
  requests: readonly TrackRequest[],
  ttlHours: number,
): Promise<Outcome<TrackedEvent>[]> {
  const contactRow = contactRows(true);
  const rows = requests.map(
    ({ projectId, change, eventId, name, data, idempotency }, n): Row => ({
      ...contactRow(projectId, change),
      ...keyRowOf(idempotency),
      ...{ n, eventId, event: name, eventData: data },
    }),
  );
  try {
    const stored = await pool.query<Decision>(trackGroup({ rows: JSON.stringify(rows), ttlHours }));
    const byNumber = new Map(stored.rows.map((row) => [row.n, row]));
    return requests.map((_, n) => outcomeOf(byNumber.get(n)));
  } catch (error) {
    // A contact was created by another transaction in the meantime.
    if (databaseCode(error) === 'PR001') return requests.map(() => 'alone');
    throw error;
  }
}

function outcomeOf(row: Decision | undefined): Outcome<TrackedEvent> {
  if (!row) return { error: new Error('an event was not stored by its group') };
  const { decision, contactId, createdAt } = row;
  if (decision === null) return { answer: { contactId, createdAt } };
  return decision === 'alone' ? 'alone' : { error: refusedWith(decision) };
}
