import type { Services } from '../../base/kernel/index.ts';
import { keepNote, receivingDomains } from '../../people/domains/index.ts';
import { asciiDomain, readBounceAddress } from '../message/index.ts';
import type { ReportClass } from './classify-report.rules.ts';
import { findSenderDomain } from './news.store.ts';
import type { ReadReport } from './read-report.ts';
import { type RoleAddress, roleAddressOf } from './role-address.ts';

/** A postmaster, abuse or feedback address that exists here. */
export interface RoleMailbox extends RoleAddress {
  /** where its letters are kept: the domain in each project that has it; null is the installation */
  domainIds: readonly (string | null)[];
}

/**
 * The mailbox of such an address; null for every other address, and for those of domains that receive nothing here (behaviour B11.7).
 *
 * @throws Error when the database is unavailable
 */
export async function findRoleMailbox(services: Services, address: string): Promise<RoleMailbox | null> {
  const found = roleAddressOf(address, services.config.MAIL_HOST);
  if (!found) return null;
  if (found.domain === null) return { ...found, domainIds: [null] };
  const domainIds = await receivingDomains(services, found.domain);
  return domainIds.length > 0 ? { ...found, domainIds } : null;
}

/** The email whose message a report returns, with its proof, and the domain of its sender. */
export interface ReturnedEmail {
  emailId: string;
  domain: string;
}

/** @throws Error when the database is unavailable */
export async function findReturnedEmail(
  { secrets, database }: Pick<Services, 'secrets' | 'database'>,
  { returned }: Pick<ReadReport, 'returned'>,
): Promise<ReturnedEmail | null> {
  if (!returned) return null;
  const named = returned.returnPath === null ? null : readBounceAddress(secrets, returned.returnPath);
  const emailId = named?.emailId ?? returned.emailId;
  if (emailId === null) return null;
  const domain = await findSenderDomain(database.durable, emailId);
  if (domain === null) return null;
  const isProven = named
    ? asciiDomain(named.domain) === asciiDomain(domain)
    : returned.proof !== null &&
      secrets.isBounceTag(returned.proof, emailId, asciiDomain(domain).toLowerCase());
  return isProven ? { emailId, domain: asciiDomain(domain).toLowerCase() } : null;
}

const reports = new Set(['bounce', 'complaint', 'opt_out', 'delay', 'delivered']);

/** Whether a message to a mailbox is a report about this email, so that it needs no note; one that leaves nothing is, too. */
export const isReportTo = (
  { domain }: RoleMailbox,
  email: ReturnedEmail | null,
  result: ReportClass | null,
): email is ReturnedEmail =>
  email !== null &&
  (domain === null || email.domain === domain) &&
  (result === null || reports.has(result.kind));

/** Keeps what is no report for people to read, once. @throws Error when the database is unavailable */
export const keepLetter = (
  services: Services,
  { role, domainIds }: RoleMailbox,
  { letter, fingerprint }: Pick<ReadReport, 'letter' | 'fingerprint'>,
): Promise<void> => keepNote(services, domainIds, { to: role, ...letter, fingerprint });
