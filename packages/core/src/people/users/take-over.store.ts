import type { Db } from '../../base/db/index.ts';
import { newKeys, type Secrets } from '../../base/kernel/index.ts';
import { removeFactorsOf } from './second-factors/second-factors.store.ts';
import { removeSessionsOf } from './sessions.store.ts';

/**
 * Ends whatever gives access to an account whose address was never proven, before it goes to the owner of the address: sessions, second
 * factors, linked sign-ins, mailed tokens, and all keys of its projects. Somebody else may have made them.
 */
export async function endEarlierAccess(db: Db, secrets: Secrets, userId: string): Promise<void> {
  await removeSessionsOf(db, userId, null);
  await removeFactorsOf(db, userId);
  await db.identity.deleteMany({ where: { userId } });
  await db.authToken.deleteMany({ where: { userId } });
  const owned = await db.member.findMany({
    where: { userId, role: 'OWNER', project: { deletedAt: null } },
    select: { projectId: true, project: { select: { environment: true } } },
    orderBy: { projectId: 'asc' },
  });
  for (const { projectId, project } of owned) {
    await db.apiKey.deleteMany({ where: { projectId } });
    await db.project.update({
      where: { id: projectId },
      data: newKeys(secrets, { id: projectId, ...project }),
    });
  }
}
