import type { Services } from '../../base/kernel/index.ts';
import { projectPage } from '../../base/kernel/project-page.ts';
import { megabyte } from './limits.ts';
import { claimNotice, findCrossings } from './notices.store.ts';

/** Sends the emails about 80 % and 100 % of the limit (behaviour B8.7). Owners without a proven address have no limit of their own. */
export async function tellOwners({ database, config, platformMail }: Services): Promise<void> {
  const limit = config.MAX_STORAGE_MB_PER_OWNER;
  if (limit === undefined) return;
  const crossings = await findCrossings(database, limit * megabyte);
  for (const crossing of crossings) {
    const { to, projectId, percent, used } = crossing;
    await database.prisma.$transaction(async (db) => {
      if (!(await claimNotice(db, crossing)) || percent === null) return;
      await platformMail.write(db, {
        to,
        mail: 'storageLimit',
        values: { percent, used: Math.ceil(used / megabyte), limit },
        url: projectPage(config, projectId, 'settings'),
      });
    });
  }
  if (crossings.some(({ percent }) => percent !== null)) platformMail.notify();
}
