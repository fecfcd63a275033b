import type { PoolClient } from 'pg';
import { Prisma, prepared } from '../../base/db/index.ts';
import { byBatchKey } from './by-key.ts';
import { released } from './release.ts';

/** A sender domain that the mail server does not take email from at present. */
export interface PausedSender {
  /** the id of the domain, or `platform` for email that the platform signs */
  sender: string;
  /** email of the sender is looked at again after this time */
  waitMs: number;
}

export interface RouteState {
  paused: boolean;
  reason: string | null;
  /** for how long it has been paused */
  pausedForMs: number | null;
  /** time since another process than the asking one handed over a message */
  othersAcceptedMs: number | null;
  senders: PausedSender[];
  /** whether its server takes 8-bit messages, as it said last; null when no process has asked */
  eightBit: boolean | null;
}

const open: RouteState = {
  paused: false,
  reason: null,
  pausedForMs: null,
  othersAcceptedMs: null,
  senders: [],
  eightBit: null,
};

/** What becomes due is due a little after the probe of its sender, so that it finds the result. */
const afterProbeMs = 2_000;

export async function readRoute(client: PoolClient, id: string, worker: string): Promise<RouteState> {
  const { rows } = await client.query<RouteState>(routeState({ id, worker }));
  return rows[0] ?? open;
}

const routeState = prepared<{ id: string; worker: string }>(
  'read-route',
  ({ id, worker }) => Prisma.sql`
    SELECT r."pausedAt" IS NOT NULL AS paused, r."reason", r."eightBit",
      extract(epoch FROM clock_timestamp() - r."pausedAt")::float8 * 1000 AS "pausedForMs",
      CASE WHEN r."acceptedBy" <> ${worker} THEN extract(epoch FROM clock_timestamp() - r."acceptedAt")::float8 * 1000 END AS "othersAcceptedMs",
      (SELECT coalesce(json_agg(json_build_object('sender', s."sender", 'waitMs', greatest(0, extract(epoch FROM s."nextProbeAt" - clock_timestamp())) * 1000 + ${afterProbeMs})), '[]')
        FROM "SenderPause" s WHERE s."routeId" = ${id}) AS senders
    FROM (SELECT ${id}::text AS "id") i LEFT JOIN "Route" r ON r."id" = i."id"`,
);

/**
 * Pauses a route, unless another process handed over a message within `othersWithinMs`: then the server works, and only this process has no
 * connection. A paused route keeps its next probe, so that simultaneous failures count once. A route that fails again before it has
 * accepted a message is probed later each time.
 *
 * @returns whether it is paused
 */
export async function pauseRoute(
  client: PoolClient,
  id: string,
  reason: string,
  {
    delaysSeconds,
    worker,
    othersWithinMs,
  }: { delaysSeconds: number[]; worker: string; othersWithinMs: number },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO "Route" AS r ("id", "pausedAt", "reason", "failures", "nextProbeAt", "updatedAt")
     VALUES ($1, now(), $2, 1, now() + ($3::float8[])[1] * interval '1 second', now())
     ON CONFLICT ("id") DO UPDATE SET
       "pausedAt" = coalesce(r."pausedAt", now()), "reason" = $2,
       "failures" = CASE WHEN r."pausedAt" IS NULL THEN r."failures" + 1 ELSE greatest(1, r."failures") END,
       "nextProbeAt" = CASE WHEN r."pausedAt" IS NULL
         THEN now() + ($3::float8[])[least(array_length($3::float8[], 1), r."failures" + 1)] * interval '1 second' ELSE r."nextProbeAt" END,
       "updatedAt" = now()
     WHERE r."pausedAt" IS NOT NULL OR r."acceptedBy" IS NULL OR r."acceptedBy" = $4
       OR r."acceptedAt" < now() - $5 * interval '1 millisecond' OR r."acceptedAt" > now() + $5 * interval '1 millisecond'`,
    [id, reason, delaysSeconds, worker, othersWithinMs],
  );
  return rowCount === 1;
}

/**
 * Takes the probe of a paused route when it is due. The next probe is scheduled at the same time, so that a worker
 * that crashes with the probe does not block the route forever.
 *
 * @param delaysSeconds time to the next probe, by the number of failed probes
 */
export async function takeProbe(client: PoolClient, id: string, delaysSeconds: number[]): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE "Route" SET "failures" = "failures" + 1, "updatedAt" = now(),
       "nextProbeAt" = now() + ($2::float8[])[least(array_length($2::float8[], 1), "failures" + 1)] * interval '1 second'
     WHERE "id" = $1 AND "pausedAt" IS NOT NULL AND ("nextProbeAt" <= now()
       -- Written before the clock was set back.
       OR "nextProbeAt" > now() + ($2::float8[])[array_length($2::float8[], 1)] * interval '1 second')`,
    [id, delaysSeconds],
  );
  return rowCount === 1;
}

/** A probe was answered. How often the route has failed is forgotten with the first message that it accepts. */
export async function resumeRoute(client: PoolClient, id: string): Promise<void> {
  await client.query(
    `UPDATE "Route" SET "pausedAt" = NULL, "reason" = NULL, "nextProbeAt" = NULL, "updatedAt" = now()
     WHERE "id" = $1 AND "pausedAt" IS NOT NULL`,
    [id],
  );
}

/** This process has handed over a message. */
export async function noteAccepted(client: PoolClient, id: string, worker: string): Promise<void> {
  await client.query(
    `INSERT INTO "Route" AS r ("id", "acceptedAt", "acceptedBy", "updatedAt") VALUES ($1, now(), $2, now())
     ON CONFLICT ("id") DO UPDATE SET "acceptedAt" = now(), "acceptedBy" = $2,
       "failures" = CASE WHEN r."pausedAt" IS NULL THEN 0 ELSE r."failures" END`,
    [id, worker],
  );
}

/** The mail server has said whether it takes 8-bit messages. */
export async function noteEightBit(client: PoolClient, id: string, eightBit: boolean): Promise<void> {
  await client.query(
    `INSERT INTO "Route" ("id", "eightBit", "updatedAt") VALUES ($1, $2, now())
     ON CONFLICT ("id") DO UPDATE SET "eightBit" = $2, "updatedAt" = now()`,
    [id, eightBit],
  );
}

/** Pauses a sender domain on a route. One that is paused keeps its next probe. */
export async function pauseSender(
  client: PoolClient,
  routeId: string,
  {
    sender,
    from,
    reason,
    firstProbeSeconds,
  }: { sender: string; from: string; reason: string; firstProbeSeconds: number },
): Promise<void> {
  await client.query(
    `INSERT INTO "SenderPause" ("routeId", "sender", "from", "reason", "failures", "nextProbeAt")
     VALUES ($1, $2, $3, $4, 1, now() + $5 * interval '1 second') ON CONFLICT DO NOTHING`,
    [routeId, sender, from, reason, firstProbeSeconds],
  );
}

export interface SenderProbe {
  sender: string;
  from: string;
  /** its domain was removed: nothing is left to probe */
  isRemoved: boolean;
}

/** Takes the probes of paused sender domains that are due, each for one process. */
export async function takeSenderProbes(
  client: PoolClient,
  routeId: string,
  delaysSeconds: number[],
): Promise<SenderProbe[]> {
  const { rows } = await client.query<SenderProbe>(
    `UPDATE "SenderPause" s SET "failures" = s."failures" + 1,
       "nextProbeAt" = now() + ($2::float8[])[least(array_length($2::float8[], 1), s."failures" + 1)] * interval '1 second'
     WHERE s."routeId" = $1 AND (s."nextProbeAt" <= now()
       -- Later than any probe is scheduled: the clock was set back.
       OR s."nextProbeAt" > now() + ($2::float8[])[array_length($2::float8[], 1)] * interval '1 second')
     RETURNING s."sender", s."from",
       s."sender" <> 'platform' AND NOT EXISTS (SELECT FROM "Domain" d WHERE d."id"::text = s."sender") AS "isRemoved"`,
    [routeId, delaysSeconds],
  );
  return rows;
}

export async function resumeSender(client: PoolClient, routeId: string, sender: string): Promise<void> {
  await client.query(`DELETE FROM "SenderPause" WHERE "routeId" = $1 AND "sender" = $2`, [routeId, sender]);
}

/** Batches whose time one statement changes; what is left is put off when it is claimed. */
const mostPutOff = 20_000;

/** Email of a paused sender domain that waits is due after the next probe, so that it takes no turn from other email of its project. */
export async function putOffSender(client: PoolClient, routeId: string, sender: string): Promise<void> {
  if (sender === 'platform') return;
  await client.query({
    text: `UPDATE "DeliveryBatch" b SET "nextAttemptAt" = w.at
     FROM (SELECT b."id", p.at FROM (
         SELECT s."nextProbeAt" + $3 * interval '1 millisecond' AS at FROM "SenderPause" s WHERE s."routeId" = $1 AND s."sender" = $2
       ) p CROSS JOIN LATERAL (
         -- IS NULL would allow a plan that reads the index of all waiting batches.
         SELECT b."id" FROM "DeliveryBatch" b
         WHERE b."domainId" = $2::uuid AND coalesce(b."token"::text, '') = '' AND b."nextAttemptAt" < p.at LIMIT ${mostPutOff} FOR UPDATE SKIP LOCKED
       ) b) w
     WHERE b."id" = ANY(ARRAY[w."id"])`,
    values: [routeId, sender, afterProbeMs],
  });
}

/** Releases a claimed batch of which nothing has begun; its email is due after `waitMs`. */
export async function putOffBatch(
  client: PoolClient,
  { id, token }: { id: string; token: string },
  waitMs: number,
): Promise<void> {
  await client.query(putOff({ id, token, waitMs }));
}

const putOff = prepared<{ id: string; token: string; waitMs: number }>(
  'put-off-batch',
  ({ id, token, waitMs }) => Prisma.sql`
UPDATE "DeliveryBatch" SET ${released}, "heldBy" = NULL, "nextAttemptAt" = clock_timestamp() + ${waitMs}::float8 * interval '1 millisecond'
FROM (SELECT ${id}::uuid AS "id", ${token}::uuid AS "token") k
WHERE ${byBatchKey('"DeliveryBatch".', 'k')} AND bit_count("begun") = 0 AND bit_count("answered") = 0`,
);
