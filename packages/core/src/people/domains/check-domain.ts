import type { Db } from '../../base/db/index.ts';
import { reportEvent } from '../../base/event-types/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { checkRecords, recordKey } from './check-records.ts';
import { domainNotice } from './domain-notice.ts';
import { afterCheck, mayMailAgain, type Turn, turnOf } from './domains.rules.ts';
import {
  type DomainRow,
  findDomainById,
  findLeaders,
  isVerifiedElsewhereSince,
  lockForCheck,
  needsNoRecords,
  noteMail,
  storeTokens,
  writeCheck,
} from './domains.store.ts';
import { findingsOf, recordsOfRow } from './present-domain.ts';
import { registerDomain } from './register-domain.ts';

export interface CheckOptions {
  /** requested by a user: also checks a FAILED domain */
  forced: boolean;
  now?: Date;
}

/**
 * Looks up the DNS records of a domain, stores the resulting status, and sends the owner and admins a notice when
 * the domain was verified or lost (behaviour B3.5).
 *
 * @returns the updated domain; null when it was deleted
 */
export async function checkDomain(
  services: Services,
  domainId: string,
  { forced, now = new Date() }: CheckOptions,
): Promise<DomainRow | null> {
  const { database, config, dns } = services;
  const found = await findDomainById(database.prisma, domainId);
  if (!found || (found.status === 'FAILED' && !forced)) return found;
  // It needs no records.
  if (needsNoRecords(config, found)) return found;
  const seen = await withTokens(services, found);
  if (!seen) return null;

  const records = recordsOfRow(seen, config);
  const findings = await checkRecords(dns, records);
  const required = records.filter((record) => record.required);
  const passed =
    required.length > 0 &&
    required.every((record) => findings.get(recordKey(record)) === true) &&
    (await isReadyAtProvider(services, seen));

  const record = async (db: Db): Promise<DomainRow | null> => {
    // The lookups may have taken seconds, so the row is read again under its lock.
    const row = (await lockForCheck(db, domainId)) ? await findDomainById(db, domainId) : null;
    if (!row) return null;
    const { status, failedChecks, pendingSince, verifiedAt, nextCheckAt } = row;
    const next = afterCheck(
      { status, failedChecks, pendingSince, verifiedAt, nextCheckAt },
      { passed, forced, now },
    );
    const answered = [...findings].filter((finding): finding is [string, boolean] => finding[1] !== null);
    const recordsFound = { ...findingsOf(row), ...Object.fromEntries(answered) };
    const local = row.verifiedBy === 'LOCAL_MAILBOX' ? row.verifiedBy : null;
    const verifiedBy = next.status === 'VERIFIED' ? 'DNS' : local;
    const checked = await writeCheck(db, domainId, { ...next, verifiedBy, lastCheckedAt: now, recordsFound });
    const turn = turnOf(status, next.status);
    if (turn) {
      const { projectId, domain, status: present } = checked;
      await reportEvent(db, `domain.${turn}`, projectId, { domainId, domain, status: present });
      await sendNoticeOnce(services, db, checked, turn, now);
    }
    return checked;
  };
  const checked = await database.prisma.$transaction(record, { maxWait: 5_000, timeout: 5_000 });
  services.platformMail.notify();
  return checked;
}

async function withTokens(services: Services, row: DomainRow): Promise<DomainRow | null> {
  if (!services.senderIdentities || row.sesTokens.length > 0) return row;
  return storeTokens(services.database.prisma, row.id, await registerDomain(services, row.domain));
}

/**
 * A provider refuses messages of a domain until it has found the records itself. Its records are the same for every project, so they
 * prove nothing for a second project that added the domain while the first was verified.
 */
async function isReadyAtProvider({ senderIdentities, database }: Services, row: DomainRow): Promise<boolean> {
  if (!senderIdentities) return true;
  return (
    (await senderIdentities.isReady(row.domain)) === true &&
    !(await isVerifiedElsewhereSince(database.prisma, row))
  );
}

async function sendNoticeOnce(
  services: Services,
  db: Db,
  row: DomainRow,
  turn: Turn,
  now: Date,
): Promise<void> {
  if (!mayMailAgain(turn === 'verified' ? row.verifiedMailAt : row.lostMailAt, now)) return;
  const leaders = await findLeaders(db, row.projectId);
  if (leaders.length === 0) return;
  for (const to of leaders)
    await services.platformMail.write(db, domainNotice(services.config, row, turn, to));
  await noteMail(db, row.id, turn, now);
}
