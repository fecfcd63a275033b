import type { CoreConfig } from '../../base/kernel/config.ts';
import type { TaskLimitError } from '../../base/kernel/index.ts';
import type { Addressee, PlatformMail } from '../../base/kernel/ports/platform-mailer.ts';
import { projectPage } from '../../base/kernel/project-page.ts';
import type { Services } from '../../base/kernel/services.ts';
import { findLeaders } from '../../people/domains/index.ts';
import { beginPlainSpan, markLimited } from '../ledger/index.ts';

interface LimitedContent {
  id: string;
  projectId: string;
  subject: string;
}

/**
 * Records that a content reached a limit: from now on, every process fills in its names only. With the third one of an owner within an hour,
 * new contents of that owner are filled in this way for an hour. The owner and admins of the project get an email about the first content of
 * a day, and about each such hour.
 */
export async function rememberLimit(
  services: Services,
  content: LimitedContent,
  error: TaskLimitError,
): Promise<void> {
  const { database, config, platformMail, owners, log } = services;
  const { id: contentId, projectId } = content;
  const marked = await database.prisma.$transaction(async (db) => {
    const mark = await markLimited(db, content);
    if (mark === 'known') return null;
    const isThird = await beginPlainSpan(db, projectId);
    if (isThird || mark === 'first of the day') {
      for (const to of await findLeaders(db, projectId))
        await platformMail.write(db, limitNotice(config, content, isThird, to));
    }
    return { isThird };
  });
  if (!marked) return;
  log.warn({ contentId, projectId, limit: error.limit }, 'a content reached a limit');
  if (marked.isThird) {
    owners.forget(projectId);
    log.warn({ projectId }, 'new contents of an owner are filled in plainly for an hour');
  }
  platformMail.notify();
}

const limitNotice = (
  config: Pick<CoreConfig, 'DASHBOARD_URL'>,
  { projectId, subject }: LimitedContent,
  isThird: boolean,
  to: Addressee,
): PlatformMail => ({
  to,
  mail: 'renderLimit',
  values: { subject, isThird },
  url: projectPage(config, projectId, 'emails'),
});
