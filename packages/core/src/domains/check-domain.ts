import type { Db } from '../db/index.ts';
import type { Services } from '../kernel/index.ts';
import { checkRecords, recordKey } from './check-records.ts';
import { afterCheck, mayMailAgain, type Turn, turnOf } from './domains.rules.ts';
import {
  type DomainRow,
  findDomainById,
  findLeaderAddresses,
  lockForCheck,
  noteMail,
  writeCheck,
} from './domains.store.ts';
import { findingsOf, recordsOfRow } from './present-domain.ts';

/** News about a domain for those who look after it. */
export interface DomainNews {
  turn: Turn;
  projectId: string;
  domain: string;
  /** addresses of the project's owner and admins */
  to: string[];
}

/** Writes the mail that carries the news, in the transaction of the change itself. */
export type TellDomainNews = (db: Db, news: DomainNews) => Promise<void>;

export interface CheckOptions {
  /** asked for by a person: a FAILED domain is looked at too */
  forced: boolean;
  now?: Date;
  /** without it nobody is told, and none of the mails of 7 days is used up */
  tell?: TellDomainNews | undefined;
}

/**
 * Looks the records of a domain up and records what that means for it (behaviour B3.5).
 *
 * @returns the domain afterwards; null when it is gone
 */
export async function checkDomain(
  services: Services,
  domainId: string,
  { forced, now = new Date(), tell }: CheckOptions,
): Promise<DomainRow | null> {
  const { database, config, dns } = services;
  const seen = await findDomainById(database.prisma, domainId);
  if (!seen || (seen.status === 'FAILED' && !forced)) return seen;

  const records = recordsOfRow(seen, config);
  const findings = await checkRecords(dns, records);
  const required = records.filter((record) => record.required);
  const passed = required.length > 0 && required.every((record) => findings.get(recordKey(record)) === true);

  const record = async (db: Db): Promise<DomainRow | null> => {
    // The look-ups took seconds: what counts is what the row says now.
    const row = (await lockForCheck(db, domainId)) ? await findDomainById(db, domainId) : null;
    if (!row) return null;
    const { status, failedChecks, pendingSince, verifiedAt, nextCheckAt } = row;
    const next = afterCheck(
      { status, failedChecks, pendingSince, verifiedAt, nextCheckAt },
      { passed, forced, now },
    );
    const answered = [...findings].filter((finding): finding is [string, boolean] => finding[1] !== null);
    const recordsFound = { ...findingsOf(row), ...Object.fromEntries(answered) };
    const checked = await writeCheck(db, domainId, { ...next, lastCheckedAt: now, recordsFound });
    const turn = turnOf(status, next.status);
    if (turn && tell) await tellOnce(db, checked, turn, now, tell);
    return checked;
  };
  return database.prisma.$transaction(record, { maxWait: 5_000, timeout: 5_000 });
}

async function tellOnce(db: Db, row: DomainRow, turn: Turn, now: Date, tell: TellDomainNews): Promise<void> {
  if (!mayMailAgain(turn === 'verified' ? row.verifiedMailAt : row.lostMailAt, now)) return;
  const to = await findLeaderAddresses(db, row.projectId);
  if (to.length === 0) return;
  await tell(db, { turn, projectId: row.projectId, domain: row.domain, to });
  await noteMail(db, row.id, turn, now);
}
