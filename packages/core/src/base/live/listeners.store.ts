import { type Database, Prisma, prepared } from '../db/index.ts';

export const liveChannel = 'postrider_live';

/** A topic of a project. */
export interface Watched {
  projectId: string;
  topic: string;
}

/** How long a listener is known after its process last renewed it, in seconds. */
const lifetimeSeconds = 60;

const renew = prepared<{ hubId: string; projectIds: string[]; topics: string[] }>(
  'renew-listeners',
  ({ hubId, projectIds, topics }) => Prisma.sql`
    WITH expired AS (DELETE FROM "LiveListener" WHERE "expiresAt" < now() - interval '1 minute')
    INSERT INTO "LiveListener" ("projectId", "topic", "hubId", "expiresAt")
    SELECT w."projectId", w."topic", ${hubId}, now() + ${lifetimeSeconds} * interval '1 second'
    FROM unnest(${projectIds}::uuid[], ${topics}::text[]) AS w("projectId", "topic")
    ON CONFLICT ("projectId", "topic", "hubId") DO UPDATE SET "expiresAt" = EXCLUDED."expiresAt"`,
);

/** Adds or renews the listeners of a process, and removes those that processes left behind. */
export async function renewListeners(
  { asyncCommit }: Database,
  hubId: string,
  watched: readonly Watched[],
): Promise<void> {
  await asyncCommit.query(
    renew({
      hubId,
      projectIds: watched.map(({ projectId }) => projectId),
      topics: watched.map(({ topic }) => topic),
    }),
  );
}

const remove = prepared<Watched & { hubId: string }>(
  'remove-listener',
  ({ projectId, topic, hubId }) => Prisma.sql`
    DELETE FROM "LiveListener" WHERE "projectId" = ${projectId} AND "topic" = ${topic} AND "hubId" = ${hubId}`,
);

export async function removeListener(
  { asyncCommit }: Database,
  hubId: string,
  { projectId, topic }: Watched,
): Promise<void> {
  await asyncCommit.query(remove({ projectId, topic, hubId }));
}
