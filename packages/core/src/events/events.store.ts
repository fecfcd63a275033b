import type { Pool } from 'pg';
import { contactUpsertCtes } from '../contacts/index.ts';
import type { Db } from '../db/index.ts';
import { idempotencyCheck, idempotencyCte } from '../idempotency/index.ts';

export interface TrackRequest {
  projectId: string;
  /** result of `contactUpsertInput` */
  contactChanges: string;
  eventId: string;
  name: string;
  data: Record<string, unknown> | null;
  idempotency: { key: string; request: string; statusCode: number; ttlHours: number } | null;
}

export interface TrackedEvent {
  contactId: string;
  createdAt: Date;
}

const statement = (withIdempotency: boolean): string => `
WITH ${contactUpsertCtes({ project: '$1', changes: '$2', defaultSubscribed: 'true' })},
"event" AS (
  INSERT INTO "Event" ("id", "projectId", "kind", "name", "data", "contactId")
  SELECT $3::uuid, $1::uuid, 'CUSTOM', $4, $5::jsonb, "id" FROM "contact"
  RETURNING "contactId", "createdAt"
)${withIdempotency ? `, ${idempotencyCte({ project: '$1', key: '$6', request: '$7', statusCode: '$8', ttlHours: '$9' })}` : ''}
SELECT "contactId", "createdAt"${withIdempotency ? `, ${idempotencyCheck} AS free` : ''} FROM "event"`;

const texts = { plain: statement(false), idempotent: statement(true) };

/** Stores an event and its contact's change in one statement. @throws an error with SQLSTATE PR001 when a rule is violated */
export async function storeTracked(pool: Pool, request: TrackRequest): Promise<TrackedEvent> {
  const { idempotency } = request;
  const { rows } = await pool.query<TrackedEvent>({
    name: idempotency ? 'track-idempotent' : 'track',
    text: idempotency ? texts.idempotent : texts.plain,
    values: [
      request.projectId,
      request.contactChanges,
      request.eventId,
      request.name,
      request.data === null ? null : JSON.stringify(request.data),
      ...(idempotency
        ? [idempotency.key, idempotency.request, idempotency.statusCode, idempotency.ttlHours]
        : []),
    ],
  });
  const [row] = rows;
  if (!row) throw new Error('tracking gave no row');
  return row;
}

/**
 * Sets the event names that one source (a tracked segment, a workflow) waits for, replacing earlier ones. The
 * database trigger `Event_dispatch` queues every event with such a name in `EventDispatch`.
 */
export async function setEventInterests(
  db: Db,
  projectId: string,
  sourceId: string,
  names: readonly string[],
): Promise<void> {
  await db.eventInterest.deleteMany({ where: { projectId, sourceId, name: { notIn: [...names] } } });
  await db.eventInterest.createMany({
    data: [...new Set(names)].map((name) => ({ projectId, sourceId, name })),
    skipDuplicates: true,
  });
}
