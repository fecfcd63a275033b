import { retryConflicts } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { storedDetail } from '../diagnosis/index.ts';
import { type DeliveryNews, type NewsOutcome, unreadClass } from './news.rules.ts';
import { isKnownNotice, rememberNotice, storeNews } from './news.store.ts';

/**
 * Applies what a mail server or a provider reports about an email after it was handed over, once for each key: the effects of behaviour
 * B3.2 and B3.3, as for replies of the mail server. Everything is on disk when it returns.
 *
 * A status is never lowered. News about an email that was never sent, and news that are none, are kept as interactions; test mail
 * has no effects besides its own record.
 *
 * @throws Error when the database is unavailable; then nothing is stored
 */
export async function applyDeliveryNews(services: Services, news: DeliveryNews): Promise<NewsOutcome> {
  const { key, emailId, kind, at, isProven, detail } = news;
  const bounceType = news.kind === 'bounce' ? news.bounceType : null;
  const diagnosis = news.kind === 'bounce' ? JSON.stringify(news.diagnosis) : null;
  const bounceClass = news.kind === 'bounce' ? (news.isUnread ? unreadClass : news.diagnosis.class) : null;
  const row = {
    ...{ key, emailId, kind, bounceType, diagnosis, class: bounceClass, at, isProven },
    detail: storedDetail(detail),
  };
  const stored = await retryConflicts(() => storeNews(services.database.durable, row));
  if (!stored) return 'unknown_email';
  if (stored.isTooEarly) return 'too_early';
  if (!stored.isNew) return 'repeated';
  services.scheduleFollowUps(stored.projectId);
  return 'applied';
}

/**
 * Runs `work` unless a report with this key was applied, and remembers the key afterwards: for reports whose effects another area stores, such
 * as opens and clicks. If the process ends in between, a repeated report runs `work` again.
 *
 * @returns whether it ran
 */
export async function applyOnce(
  { database }: Pick<Services, 'database'>,
  key: string,
  work: () => Promise<void>,
): Promise<boolean> {
  if (await isKnownNotice(database.durable, key)) return false;
  await work();
  await rememberNotice(database.durable, key);
  return true;
}
