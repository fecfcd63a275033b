import { AppError, type Services } from '../../base/kernel/index.ts';
import { applyDeliveryNews, applyOnce } from '../news/index.ts';
import { recordInteraction } from '../tracking/index.ts';
import { findNotifiedEmail } from './provider.store.ts';
import type { SesNotification } from './ses-notification.rules.ts';

/**
 * Applies what Amazon SES reports about an email, once for each key (behaviour B6.3).
 *
 * @throws AppError RESOURCE_NOT_FOUND when there is no such email
 */
export async function applyNotification(
  services: Services,
  key: string,
  { providerId, emailId: named, at: given, news }: SesNotification,
): Promise<void> {
  const emailId = await findNotifiedEmail(services.database.durable, providerId, named);
  if (emailId === null) throw emailNotFound();
  // Only notifications of known topics come here, and the provider signs them.
  const base = { key, emailId, at: given ?? new Date(), isProven: true };
  const apply = async (applied: Parameters<typeof applyDeliveryNews>[1]): Promise<void> => {
    const outcome = await applyDeliveryNews(services, applied);
    if (outcome === 'unknown_email') throw emailNotFound();
    if (outcome === 'too_early') {
      throw new AppError(
        'INTERNAL_SERVER_ERROR',
        'The email is being handed over; repeat the notification later',
      );
    }
  };
  switch (news.kind) {
    case 'open':
    case 'click': {
      const link = news.kind === 'click' ? news.link : null;
      const visitor = { userAgent: news.userAgent, method: 'GET' } as const;
      const record = () => recordInteraction(services, { type: news.kind, emailId, link }, visitor);
      await applyOnce(services, key, record);
      return;
    }
    case 'bounce':
      return apply({ ...base, ...news });
    case 'rejected':
      return apply({ ...base, kind: 'rejected', detail: news.error });
    case 'complaint':
    case 'delay':
      return apply({ ...base, kind: news.kind, detail: news.detail });
    case 'sent':
    case 'delivered':
      return apply({ ...base, kind: news.kind, detail: null });
    case 'other':
      return;
  }
}

const emailNotFound = (): AppError =>
  new AppError('RESOURCE_NOT_FOUND', 'No email belongs to this notification');
