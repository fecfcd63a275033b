import type { Db } from '../../base/db/index.ts';
import type { MailLanguage } from '../../base/lib/index.ts';

export interface ClaimedAccount {
  email: string;
  language: MailLanguage;
  disowned: boolean;
}

/** An account whose address nobody has proven; null for any other. */
export async function findUnproven(db: Db, id: string): Promise<ClaimedAccount | null> {
  const user = await db.user.findUnique({
    where: { id, emailVerified: false },
    select: { email: true, language: true, disownedAt: true },
  });
  return user && { email: user.email, language: user.language, disowned: user.disownedAt !== null };
}

/** Takes the address from an account. @returns false when it is proven, or was taken before */
export async function takeAddress(db: Db, id: string): Promise<boolean> {
  const { count } = await db.user.updateMany({
    where: { id, emailVerified: false, disownedAt: null },
    data: { disownedAt: new Date() },
  });
  return count === 1;
}

export async function projectsOwnedBy(db: Db, userId: string): Promise<string[]> {
  const owned = await db.member.findMany({
    where: { userId, role: 'OWNER', project: { deletedAt: null } },
    select: { projectId: true },
    orderBy: { projectId: 'asc' },
  });
  return owned.map(({ projectId }) => projectId);
}
