import type { SqlDb } from '../../base/db/index.ts';
import {
  assertSenderAllowed,
  type Context,
  type CoreConfig,
  projectIdOf,
  senderNotVerified,
} from '../../base/kernel/index.ts';
import { findVerifiedSender } from './domains.store.ts';

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();

/** What the project may send from. */
export interface Sender {
  /** the domain that signs; null for the sandbox sender, whose email reaches only the project's own people (behaviour B11.4) */
  domainId: string | null;
  domain: string;
}

/**
 * The sender of an address: its verified domain, or the sandbox; null when the project has no verified domain of that name.
 * Subdomains are separate domains. Inside a transaction, the domain cannot be removed before the transaction ends, unless
 * the caller only looks.
 */
export async function findSender(
  { sandboxFrom, mailboxUrl }: Pick<CoreConfig, 'sandboxFrom' | 'mailboxUrl'>,
  db: SqlDb,
  projectId: string,
  fromAddress: string,
  purpose: 'keep' | 'look' = 'keep',
): Promise<Sender | null> {
  const domain = domainOf(fromAddress);
  if (fromAddress.toLowerCase() === sandboxFrom) return { domainId: null, domain };
  const found = await findVerifiedSender(db, projectId, domain, mailboxUrl !== null, purpose);
  return found && { domainId: found.id, domain };
}

/**
 * The sender of a well-formed address of the caller's project.
 *
 * @throws AppError FORBIDDEN when the caller's key may not send from it; INTERNAL_SERVER_ERROR (403) naming the domain when it is
 *   not verified for the project
 */
export async function requireVerifiedSender(
  ctx: Context,
  fromAddress: string,
  purpose: 'keep' | 'look' = 'keep',
): Promise<Sender> {
  assertSenderAllowed(ctx.actor, fromAddress);
  const found = await findSender(ctx.services.config, ctx.db, projectIdOf(ctx), fromAddress, purpose);
  if (!found) throw senderNotVerified(domainOf(fromAddress));
  return found;
}
