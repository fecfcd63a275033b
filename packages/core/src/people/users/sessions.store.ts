import { type Database, type Db, Prisma, prepared } from '../../base/db/index.ts';

type Hash = Uint8Array<ArrayBuffer>;

export interface NewSession {
  id: string;
  userId: string;
  tokenHash: Hash;
  ip: string | null;
  userAgent: string | null;
  expiresAt: Date;
}

export interface FoundSession {
  id: string;
  userId: string;
  emailVerified: boolean;
  lastSeenAt: Date;
}

/** @returns false when the user does not exist */
export async function insertSession(database: Database, session: NewSession): Promise<boolean> {
  const { id, userId, tokenHash, ip, userAgent, expiresAt } = session;
  const stored = await database.prisma.$executeRaw`
    INSERT INTO "Session" ("id", "userId", "tokenHash", "ip", "userAgent", "expiresAt")
    SELECT ${id}::uuid, u."id", ${tokenHash}, ${ip}, ${userAgent}, ${expiresAt} FROM "User" u WHERE u."id" = ${userId}::uuid`;
  return stored === 1;
}

const session = prepared<{ tokenHash: Buffer; now: Date }>(
  'find-session',
  ({ tokenHash, now }) => Prisma.sql`
    SELECT s."id", s."userId", u."emailVerified", s."lastSeenAt" FROM "Session" s JOIN "User" u ON u."id" = s."userId"
    WHERE s."tokenHash" = ${tokenHash} AND s."expiresAt" > ${now}`,
);

/** Runs on every request with a session. */
export async function findSession(
  database: Database,
  tokenHash: Hash,
  now: Date,
): Promise<FoundSession | null> {
  const { rows } = await database.durable.query<FoundSession>(
    session({ tokenHash: Buffer.from(tokenHash), now }),
  );
  return rows[0] ?? null;
}

/** Extends a session that is used. An ended one stays ended. */
export async function touchSession(
  database: Database,
  id: string,
  now: Date,
  expiresAt: Date,
): Promise<void> {
  await database.prisma.session.updateMany({ where: { id }, data: { lastSeenAt: now, expiresAt } });
}

export const listSessionsOf = (db: Db, userId: string, now: Date) =>
  db.session.findMany({
    where: { userId, expiresAt: { gt: now } },
    orderBy: [{ lastSeenAt: 'desc' }, { id: 'desc' }],
    select: { id: true, createdAt: true, lastSeenAt: true, ip: true, userAgent: true },
  });

/** The client addresses of the open sessions of an account, which is found by its email address. */
export async function addressesOfSessions({ prisma }: Database, email: string, now: Date): Promise<string[]> {
  const sessions = await prisma.session.findMany({
    where: { user: { email }, expiresAt: { gt: now }, ip: { not: null } },
    distinct: ['ip'],
    select: { ip: true },
    take: 100,
  });
  return sessions.flatMap(({ ip }) => ip ?? []);
}

/** When a session began; null without one. */
export async function findSessionStart(db: Db, id: string | null): Promise<Date | null> {
  if (id === null) return null;
  const session = await db.session.findUnique({ where: { id }, select: { createdAt: true } });
  return session?.createdAt ?? null;
}

/** @returns whether the user had such a session */
export async function removeSession(db: Db, userId: string, id: string): Promise<boolean> {
  const { count } = await db.session.deleteMany({ where: { id, userId } });
  return count === 1;
}

/** Ends the sessions of a user, except the one with the id `except`. */
export async function removeSessionsOf(db: Db, userId: string, except: string | null): Promise<void> {
  await db.session.deleteMany({ where: { userId, ...(except === null ? {} : { id: { not: except } }) } });
}

export async function removeSessionByToken(database: Database, tokenHash: Hash): Promise<void> {
  await database.prisma.session.deleteMany({ where: { tokenHash } });
}

/** Removes at most `limit` sessions that expired before `before`. @returns how many */
export const removeExpiredSessions = (database: Database, before: Date, limit: number): Promise<number> =>
  database.prisma.$executeRaw`
    DELETE FROM "Session" WHERE "id" IN (
      SELECT "id" FROM "Session" WHERE "expiresAt" < ${before} ORDER BY "expiresAt" LIMIT ${limit}::int)`;
