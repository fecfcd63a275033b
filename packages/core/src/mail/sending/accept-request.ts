import { contactDataLimitError, recallFormerSpellings } from '../../audience/contacts/index.ts';
import { type Refusal, refusalOf } from '../../base/db/index.ts';
import { idempotencyKeyReused } from '../../base/idempotency/index.ts';
import { type AppError, badRequest, type Context, senderNotVerified } from '../../base/kernel/index.ts';
import { billingLimitExceeded } from '../../people/billing/index.ts';
import type { AcceptedEmail, AcceptRequest } from '../ledger/index.ts';
import { dailyCapExceeded, scheduledPastToday } from '../ramp/ramp.rules.ts';
import { storeSend } from './accept-send.ts';
import { storeStrictly } from './accept-strictly.ts';

/** Stores the request, strictly if every variable must have a value, and turns a violated rule into an error. */
export async function acceptRequest(
  ctx: Context,
  request: AcceptRequest,
  { isStrict = false } = {},
): Promise<AcceptedEmail[]> {
  const addresses = request.recipients.map(({ address }) => address);
  await recallFormerSpellings(ctx.db, ctx.services.secrets, request.content.projectId, addresses);
  try {
    return await (isStrict ? storeStrictly : storeSend)(ctx.services, request);
  } catch (error) {
    const refusal = refusalOf(error);
    throw refusal ? await errorOf(ctx, request, refusal) : error;
  }
}

/** What a violated rule is to the caller. */
export async function errorOf(ctx: Context, request: AcceptRequest, refusal: Refusal): Promise<AppError> {
  const { type, projectId } = request.content;
  switch (refusal.rule) {
    case 'sender':
      return senderNotVerified(request.senderDomain ?? request.content.from);
    case 'unsubscribed':
      return badRequest(`${refusal.address} is not subscribed and cannot receive ${type} email`, {
        suggestion:
          'Send "subscribed": true if the recipient has agreed to receive it, or use a TRANSACTIONAL template',
      });
    case 'ramp':
      return dailyCapExceeded(refusal.cap);
    case 'later':
      return scheduledPastToday(refusal.cap);
    case 'idempotency':
      return idempotencyKeyReused(ctx, projectId, request.idempotency?.key ?? '');
    case 'billing':
      return billingLimitExceeded();
    case 'data_too_large':
      return contactDataLimitError();
  }
}
