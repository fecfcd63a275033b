import type { Services } from '../../kernel/index.ts';
import { readBounceAddress } from '../message/return-path.ts';
import { applyDeliveryNews } from './apply-news.ts';
import { findSenderDomain } from './news.store.ts';
import type { ReadReport } from './read-report.ts';

/**
 * The email whose envelope sender this address is; null for every other address: only the domain of its sender receives reports about it
 * (behaviour B11.7).
 *
 * @throws Error when the database is unavailable
 */
export async function findReportedEmail(services: Services, address: string): Promise<string | null> {
  const named = readBounceAddress(address);
  if (!named) return null;
  const domain = await findSenderDomain(services.database.pool, named.emailId);
  return domain === named.domain ? named.emailId : null;
}

/**
 * Applies a received report to an email, once. Everything is on disk when it returns.
 *
 * @throws Error when the database is unavailable; then nothing is stored
 */
export async function receiveReport(
  services: Services,
  emailId: string,
  { fingerprint, result }: Pick<ReadReport, 'fingerprint' | 'result'>,
): Promise<void> {
  if (result === null) return;
  const key = `smtp:${emailId}:${fingerprint}`;
  await applyDeliveryNews(services, { key, emailId, at: new Date(), ...result });
}
