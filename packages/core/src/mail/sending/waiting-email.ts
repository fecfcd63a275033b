import {
  assertSenderAllowed,
  type CommandContext,
  conflict,
  projectOf,
  suggestions,
} from '../../base/kernel/index.ts';
import { routeId } from '../../base/providers/index.ts';
import { lockWaiting, type WaitingEmail } from '../ledger/index.ts';
import { type EmailRow, findEmail } from './emails.store.ts';
import { emailNotFound } from './get-email.ts';
import { presentWaiting } from './present-email.ts';

/**
 * Locks an email that waits, for a change of it: what is claimed from now on sees the change, and what was claimed before is refused.
 *
 * @param change what is to be done with it, as a participle
 * @throws AppError RESOURCE_NOT_FOUND, or CONFLICT when it does not wait, or is a campaign's
 */
export async function requireWaiting(
  ctx: CommandContext,
  id: string,
  change: 'cancelled' | 'rescheduled',
): Promise<WaitingEmail> {
  const { id: projectId } = projectOf(ctx);
  const locked = await lockWaiting(ctx.db, projectId, id);
  if (typeof locked === 'object') {
    const { from } = await readEmail(ctx, id);
    assertSenderAllowed(ctx.actor, from);
    return locked;
  }
  switch (locked) {
    case 'missing':
      throw emailNotFound();
    case 'campaign':
      throw conflict(`An email of a campaign cannot be ${change}`, {
        suggestion: suggestions.CONFLICT.emailOfCampaign,
      });
    case 'shared':
      throw conflict(
        `An email of a shared message is ${change} with the first of them, whose id is sharedMessageId`,
        {
          suggestion: suggestions.CONFLICT.emailOfShared,
        },
      );
    case 'held':
      throw conflict(`The email is being sent, so it cannot be ${change}`, {
        suggestion: suggestions.CONFLICT.emailUnderWay,
      });
    case 'settled': {
      const { status } = await readEmail(ctx, id);
      throw conflict(`An email that is ${status} cannot be ${change}`, {
        suggestion: suggestions.CONFLICT.emailSettled,
      });
    }
  }
}

/** @throws AppError CONFLICT for an email that is due, or was tried before */
export function assertScheduled({ isScheduled }: WaitingEmail): void {
  if (!isScheduled) {
    throw conflict('Only an email that is SCHEDULED can be rescheduled; this one is waiting to be sent', {
      suggestion: suggestions.CONFLICT.emailWaits,
    });
  }
}

/** An email after its change, in the form of the API. */
export async function readChanged(ctx: CommandContext, id: string) {
  return presentWaiting(ctx.services, projectOf(ctx), ctx.db, await readEmail(ctx, id));
}

async function readEmail(ctx: CommandContext, id: string): Promise<EmailRow> {
  const row = await findEmail(ctx.db, projectOf(ctx).id, id, routeId(ctx.services.config));
  if (!row) throw emailNotFound();
  return row;
}
