import type { Db } from '../../base/db/index.ts';

export type AuthTokenKind =
  | 'VERIFY_EMAIL'
  | 'RESET_PASSWORD'
  | 'ADD_PASSKEY'
  | 'USE_PASSKEY'
  | 'LOGIN_PASSKEY'
  | 'DELETE_ACCOUNT';

/** Stores a token; it replaces an earlier one of the same kind and user. */
export async function storeToken(
  db: Db,
  id: string,
  {
    userId,
    kind,
    hash,
    expiresAt,
  }: { userId: string; kind: AuthTokenKind; hash: Uint8Array<ArrayBuffer>; expiresAt: Date },
): Promise<void> {
  const token = { tokenHash: hash, expiresAt, createdAt: new Date() };
  await db.authToken.upsert({
    where: { userId_kind: { userId, kind } },
    create: { id, userId, kind, ...token },
    update: token,
  });
}

/** The user of a token, which stays valid; null when it is unknown, used or expired. */
export async function findTokenUser(
  db: Db,
  kind: AuthTokenKind,
  hash: Uint8Array<ArrayBuffer>,
): Promise<string | null> {
  const token = await db.authToken.findFirst({
    where: { kind, tokenHash: hash, expiresAt: { gt: new Date() } },
    select: { userId: true },
  });
  return token?.userId ?? null;
}

/** Consumes a token. @returns its user; null when it is unknown, used or expired */
export async function takeToken(
  db: Db,
  kind: AuthTokenKind,
  hash: Uint8Array<ArrayBuffer>,
): Promise<string | null> {
  const rows = await db.$queryRaw<{ userId: string }[]>`
    DELETE FROM "AuthToken"
    WHERE "kind" = ${kind}::"AuthTokenKind" AND "tokenHash" = ${hash} AND "expiresAt" > now()
    RETURNING "userId"`;
  return rows[0]?.userId ?? null;
}
