import type { RemovedRows } from '../../audience/contacts/index.ts';
import { type Db, Prisma } from '../../base/db/index.ts';
import type { Keyset } from '../../base/kernel/index.ts';
import type { After } from './mentions.store.ts';
import type { Kept } from './own-places.store.ts';

/** Where an erasure is. */
export interface Position {
  /** from 1: a round visits each of its places */
  round: number;
  /** the places of this round by name, and the one that is next */
  todo: string[];
  at: number;
  after: After;
  /** places in which this round has found something */
  found: string[];
  /** rows that could not be treated yet, by place */
  left: Record<string, number>;
  kept: Kept[];
  /** when it goes on; null at once */
  nextAt: string | null;
}

export interface ErasureRow {
  id: string;
  projectId: string;
  addressHash: Uint8Array;
  actorType: string;
  actorId: string | null;
  keyName: string | null;
  reason: string | null;
  status: 'RUNNING' | 'COMPLETED';
  removed: RemovedRows;
  kept: Kept[];
  remaining: number;
  requestedAt: Date;
  completedAt: Date | null;
}

export interface RunningErasure {
  id: string;
  projectId: string;
  addressCipher: string;
  contactIds: string[];
  position: Position | null;
  removed: RemovedRows;
  requestedAt: Date;
}

const shown = Prisma.sql`"id", "projectId", "addressHash", "actorType", "actorId", "keyName", "reason", "status"::text AS "status", "removed", "kept",
  "remaining", "requestedAt", "completedAt"`;

export interface NewErasure {
  id: string;
  projectId: string;
  addressHash: Buffer;
  addressCipher: string;
  contactIds: string[];
  actorType: string;
  actorId: string | null;
  keyName: string | null;
  reason: string | null;
  removed: RemovedRows;
}

export async function insertErasure(db: Db, erasure: NewErasure): Promise<ErasureRow> {
  const {
    id,
    projectId,
    addressHash,
    addressCipher,
    contactIds,
    actorType,
    actorId,
    keyName,
    reason,
    removed,
  } = erasure;
  const [row] = await db.$queryRaw<ErasureRow[]>`
    INSERT INTO "Erasure" ("id", "projectId", "addressHash", "addressCipher", "contactIds", "actorType", "actorId", "keyName", "reason", "removed")
    VALUES (${id}::uuid, ${projectId}::uuid, ${addressHash}::bytea, ${addressCipher}, ${contactIds}::uuid[], ${actorType}, ${actorId}::uuid,
      ${keyName}, ${reason}, ${JSON.stringify(removed)}::jsonb)
    RETURNING ${shown}`;
  if (!row) throw new Error('the insert of an erasure gave no row');
  return row;
}

export async function findErasure(db: Db, projectId: string, id: string): Promise<ErasureRow | null> {
  const [row] = await db.$queryRaw<ErasureRow[]>`
    SELECT ${shown} FROM "Erasure" WHERE "id" = ${id}::uuid AND "projectId" = ${projectId}::uuid`;
  return row ?? null;
}

/** One keyset page, newest first. */
export function findErasures(
  db: Db,
  projectId: string,
  after: Keyset | null,
  limit: number,
): Promise<ErasureRow[]> {
  const older = after
    ? Prisma.sql`AND ("requestedAt", "id") < (${new Date(after.value)}, ${after.id}::uuid)`
    : Prisma.empty;
  return db.$queryRaw<ErasureRow[]>`
    SELECT ${shown} FROM "Erasure" WHERE "projectId" = ${projectId}::uuid ${older}
    ORDER BY "requestedAt" DESC, "id" DESC LIMIT ${limit}::int`;
}

export const countErasures = (db: Db, projectId: string): Promise<number> =>
  db.erasure.count({ where: { projectId } });

const isDue = (now: Date): Prisma.Sql =>
  Prisma.sql`"status" = 'RUNNING' AND coalesce(("position" ->> 'nextAt')::timestamptz, '-infinity') <= ${now}`;

/** Erasures that have something to do now, oldest first. */
export async function findDueErasures(
  db: Db,
  now: Date,
  limit: number,
): Promise<{ id: string; projectId: string }[]> {
  return db.$queryRaw`
    SELECT "id", "projectId" FROM "Erasure" WHERE ${isDue(now)} ORDER BY "requestedAt" LIMIT ${limit}::int`;
}

/** One of them, which no other process works on meanwhile; null when there is nothing to do. */
export async function lockDueErasure(db: Db, id: string, now: Date): Promise<RunningErasure | null> {
  const [row] = await db.$queryRaw<RunningErasure[]>`
    SELECT "id", "projectId", "addressCipher", "contactIds", "position", "removed", "requestedAt" FROM "Erasure"
    WHERE "id" = ${id}::uuid AND ${isDue(now)} FOR UPDATE SKIP LOCKED`;
  return row ?? null;
}

export async function savePosition(
  db: Db,
  id: string,
  position: Position,
  removed: RemovedRows,
): Promise<void> {
  const remaining = Object.values(position.left).reduce((sum, count) => sum + count, 0);
  await db.$executeRaw`
    UPDATE "Erasure" SET "position" = ${JSON.stringify(position)}::jsonb, "removed" = ${JSON.stringify(removed)}::jsonb,
      "remaining" = ${remaining}::int WHERE "id" = ${id}::uuid`;
}

/** What stays of a person, besides what the erasure has found: by what there is under the hash of the address. */
async function findKept(db: Db, projectId: string, hash: Buffer, addresses: readonly string[]) {
  const [row] = await db.$queryRaw<
    { optOut: boolean; erasedContact: boolean; acts: boolean; suppression: boolean }[]
  >`
    SELECT EXISTS (SELECT FROM "OptOut" WHERE "projectId" = ${projectId}::uuid AND "addressHash" = ${hash}::bytea) AS "optOut",
      EXISTS (SELECT FROM "ErasedContact" WHERE "projectId" = ${projectId}::uuid AND "addressHash" = ${hash}::bytea) AS "erasedContact",
      EXISTS (SELECT FROM "ConsentAct" WHERE "projectId" = ${projectId}::uuid AND "addressHash" = ${hash}::bytea AND "contactId" IS NULL) AS "acts",
      EXISTS (SELECT FROM "Suppression" WHERE "projectId" = ${projectId}::uuid AND "email" = ANY(${[...addresses]}::text[])) AS "suppression"`;
  return row ?? { optOut: false, erasedContact: false, acts: false, suppression: false };
}

/** Ends an erasure: what it needed of the person goes, and what is kept is named. */
export async function completeErasure(
  db: Db,
  { id, projectId }: Pick<RunningErasure, 'id' | 'projectId'>,
  {
    hash,
    addresses,
    removed,
    found,
    reason,
  }: {
    hash: Buffer;
    addresses: readonly string[];
    removed: RemovedRows;
    found: readonly Kept[];
    /** the reason without the address, as SQL of `"reason"` */
    reason: Prisma.Sql;
  },
): Promise<void> {
  const is = await findKept(db, projectId, hash, addresses);
  const kept: Kept[] = [
    ...(is.optOut
      ? [{ record: 'optOut', why: 'A keyed hash of the address: it stays unsubscribed if it returns' }]
      : []),
    ...(is.erasedContact
      ? [
          {
            record: 'erasedContact',
            why: 'A keyed hash of the address: links in old email can still be used to leave',
          },
        ]
      : []),
    ...(is.acts
      ? [{ record: 'acts', why: 'What was agreed to and when, under a keyed hash, for 3 years as a proof' }]
      : []),
    ...(is.suppression
      ? [{ record: 'suppression', why: 'The address itself, because nothing may be sent to it' }]
      : []),
    ...found,
    { record: 'counters', why: 'Numbers of emails, events and contacts, which name nobody' },
    { record: 'audit', why: 'That somebody was erased, when and by whom' },
  ];
  await db.$executeRaw`
    UPDATE "Erasure" SET "status" = 'COMPLETED', "completedAt" = now(), "addressCipher" = NULL, "contactIds" = '{}', "position" = NULL,
      "remaining" = 0, "removed" = ${JSON.stringify(removed)}::jsonb, "kept" = ${JSON.stringify(kept)}::jsonb, "reason" = ${reason}
    WHERE "id" = ${id}::uuid`;
}
