import type { SqlDb } from '../db/index.ts';
import { assertSenderAllowed, type Context, projectIdOf, senderNotVerified } from '../kernel/index.ts';
import { findVerifiedSender } from './domains.store.ts';

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();

/**
 * The verified domain of a sender address; null when the project has none of that name. Subdomains are separate
 * domains. Inside a transaction, the domain cannot be removed before the transaction ends.
 */
export const findVerifiedDomain = (
  db: SqlDb,
  projectId: string,
  fromAddress: string,
): Promise<{ id: string; domain: string } | null> => findVerifiedSender(db, projectId, domainOf(fromAddress));

/**
 * The verified domain of a well-formed sender address of the caller's project.
 *
 * @throws AppError FORBIDDEN when the caller's key may not send from it; INTERNAL_SERVER_ERROR (403) naming the domain when it is
 *   not verified for the project
 */
export async function requireVerifiedSender(
  ctx: Context,
  fromAddress: string,
): Promise<{ domainId: string; domain: string }> {
  assertSenderAllowed(ctx.actor, fromAddress);
  const found = await findVerifiedDomain(ctx.db, projectIdOf(ctx), fromAddress);
  if (!found) throw senderNotVerified(domainOf(fromAddress));
  return { domainId: found.id, domain: found.domain };
}
