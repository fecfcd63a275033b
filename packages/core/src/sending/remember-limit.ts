import { findLeaders } from '../domains/index.ts';
import type { CoreConfig } from '../kernel/config.ts';
import type { TaskLimitError } from '../kernel/index.ts';
import type { Addressee, PlatformMail } from '../kernel/ports/platform-mailer.ts';
import { projectPage } from '../kernel/project-page.ts';
import type { Services } from '../kernel/services.ts';
import { markLimited } from './ledger/content.store.ts';

interface LimitedContent {
  id: string;
  projectId: string;
  subject: string;
}

/**
 * Records that a content reached a limit: from now on, every process fills in its names only. The owner and admins of
 * the project get an email, at most one a day.
 */
export async function rememberLimit(
  services: Services,
  content: LimitedContent,
  error: TaskLimitError,
): Promise<void> {
  const { database, config, platformMail, log } = services;
  const marked = await database.prisma.$transaction(async (db) => {
    const mark = await markLimited(db, content);
    if (mark !== 'first of the day') return mark;
    for (const to of await findLeaders(db, content.projectId))
      await platformMail.write(db, limitNotice(config, content, to));
    return mark;
  });
  if (marked === 'known') return;
  log.warn(
    { contentId: content.id, projectId: content.projectId, limit: error.limit },
    'a content reached a limit',
  );
  platformMail.notify();
}

const limitNotice = (
  config: Pick<CoreConfig, 'DASHBOARD_URL'>,
  { projectId, subject }: LimitedContent,
  to: Addressee,
): PlatformMail => ({
  to,
  mail: 'renderLimit',
  values: { subject },
  url: projectPage(config, projectId, 'emails'),
});
