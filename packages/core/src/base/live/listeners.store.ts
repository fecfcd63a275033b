import type { Database } from '../db/index.ts';

export const liveChannel = 'postrider_live';

/** A topic of a project. */
export interface Watched {
  projectId: string;
  topic: string;
}

/** How long a listener is known after its process last renewed it, in seconds. */
const lifetimeSeconds = 60;

/** Adds or renews the listeners of a process, and removes those that processes left behind. */
export async function renewListeners(
  { asyncCommit }: Database,
  hubId: string,
  watched: readonly Watched[],
): Promise<void> {
  await asyncCommit.query(
    `WITH expired AS (DELETE FROM "LiveListener" WHERE "expiresAt" < now() - interval '1 minute')
     INSERT INTO "LiveListener" ("projectId", "topic", "hubId", "expiresAt")
     SELECT w."projectId", w."topic", $1, now() + $4 * interval '1 second' FROM unnest($2::uuid[], $3::text[]) AS w("projectId", "topic")
     ON CONFLICT ("projectId", "topic", "hubId") DO UPDATE SET "expiresAt" = EXCLUDED."expiresAt"`,
    [hubId, watched.map(({ projectId }) => projectId), watched.map(({ topic }) => topic), lifetimeSeconds],
  );
}

export async function removeListener(
  { asyncCommit }: Database,
  hubId: string,
  { projectId, topic }: Watched,
): Promise<void> {
  await asyncCommit.query(
    `DELETE FROM "LiveListener" WHERE "projectId" = $1 AND "topic" = $2 AND "hubId" = $3`,
    [projectId, topic, hubId],
  );
}
