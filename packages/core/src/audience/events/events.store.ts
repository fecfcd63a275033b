import type { Pool } from 'pg';
import { constant, type Db, type ParametersOf, Prisma, prepared } from '../../base/db/index.ts';
import { eventRow, insertEvents, storedWithName } from '../../base/event-types/index.ts';
import { idempotencyCheck, idempotencyCte, type KeyUse } from '../../base/idempotency/index.ts';
import { contactUpsertCtes, type PreparedChange, toUpsertInput } from '../contacts/index.ts';

export interface TrackRequest {
  projectId: string;
  change: PreparedChange;
  eventId: string;
  name: string;
  data: Record<string, unknown> | null;
  idempotency: KeyUse | null;
  /** whether a contact that it creates is subscribed without a word about it */
  byDefault: boolean;
}

export interface TrackedEvent {
  contactId: string;
  createdAt: Date;
}

type TrackValues = Omit<TrackRequest, 'change' | 'data' | 'idempotency'> & {
  contactChanges: string;
  data: string | null;
};

const trackSql = (value: ParametersOf<TrackValues>, use?: ParametersOf<KeyUse>) => Prisma.sql`
WITH ${contactUpsertCtes({ project: value.projectId, changes: value.contactChanges, defaultSubscribed: value.byDefault }, { source: 'track' })},
"event" AS (
  ${insertEvents}
  ${eventRow({
    ...storedWithName('CUSTOM', Prisma.sql`${value.name}::text`),
    id: Prisma.sql`${value.eventId}::uuid`,
    projectId: Prisma.sql`${value.projectId}::uuid`,
    data: Prisma.sql`${value.data}::jsonb`,
    contactId: constant('"id"'),
  })}
  FROM "contact"
  RETURNING "contactId", "createdAt"
)${use ? Prisma.sql`, ${idempotencyCte(value.projectId, use, { eventId: Prisma.sql`${value.eventId}` })}` : Prisma.empty}
SELECT "contactId", "createdAt"${use ? Prisma.sql`, ${idempotencyCheck} AS free` : Prisma.empty} FROM "event"`;

const track = prepared<TrackValues>('track', (value) => trackSql(value));
const trackOnce = prepared<TrackValues & KeyUse>('track-idempotent', (value) => trackSql(value, value));

/** Stores an event and its contact's change in one statement. @throws an error with SQLSTATE PR001 when a rule is violated */
export async function storeTracked(
  pool: Pool,
  { idempotency, change, ...request }: TrackRequest,
): Promise<TrackedEvent> {
  const values = {
    ...request,
    contactChanges: toUpsertInput([change]),
    data: request.data === null ? null : JSON.stringify(request.data),
  };
  const { rows } = await pool.query<TrackedEvent>(
    idempotency ? trackOnce({ ...values, ...idempotency }) : track(values),
  );
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

/** The place in the event queue (`EventDispatch.seq`) of the last event that was stored. Whatever is stored from now on has a later one. */
export const lastEvent = constant('(SELECT "last_value" FROM "EventDispatch_seq_seq")');
