import type { Services } from '../../base/kernel/index.ts';
import { diagnosisOf } from '../diagnosis/index.ts';
import { asciiDomain, readBounceAddress } from '../message/index.ts';
import { applyDeliveryNews } from './apply-news.ts';
import type { ReportClass } from './classify-report.rules.ts';
import { findSenderDomain, isKnownNotice } from './news.store.ts';

/**
 * The email whose envelope sender this address is; null for every other address: only the domain of its sender receives reports about it
 * (behaviour B11.7). The database is asked about addresses that were made here only.
 *
 * @throws Error when the database is unavailable
 */
export async function findReportedEmail(services: Services, address: string): Promise<string | null> {
  const named = readBounceAddress(services.secrets, address);
  if (!named) return null;
  const domain = await findSenderDomain(services.database.durable, named.emailId);
  return domain !== null && asciiDomain(domain) === asciiDomain(named.domain) ? named.emailId : null;
}

/**
 * Applies a received report to an email, once. Everything is on disk when it returns.
 *
 * @throws Error when the database is unavailable; then nothing is stored
 */
export async function receiveReport(
  services: Services,
  emailId: string,
  fingerprint: string,
  result: ReportClass | null,
  isProven: boolean,
): Promise<void> {
  if (result === null) return;
  const unproven = `smtp:${emailId}:${fingerprint}`;
  // One that comes again with a proof says more; not one that comes again without it.
  const proven = `${unproven}:proven`;
  if (!isProven && (await isKnownNotice(services.database.durable, proven))) return;
  const key = isProven ? proven : unproven;
  const base = { key, emailId, at: new Date(), isProven, detail: result.detail };
  await applyDeliveryNews(
    services,
    result.kind === 'bounce'
      ? {
          ...base,
          kind: 'bounce',
          bounceType: result.bounceType,
          diagnosis: diagnosisOf(result, result.detail),
          isUnread: result.isUnread ?? false,
        }
      : { ...base, kind: result.kind },
  );
}
