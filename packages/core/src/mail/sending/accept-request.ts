import { findStatus } from '../../audience/consent/index.ts';
import { contactDataLimitError, recallFormerSpellings } from '../../audience/contacts/index.ts';
import { keysOfTopics, unknownTopicError } from '../../audience/topics/index.ts';
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

/** The key of the topic that a request names, even if it cannot be named any more; null without one. */
async function topicOf({ db }: Context, { content }: AcceptRequest): Promise<string | null> {
  const id = content.topicId ?? null;
  return id === null ? null : ((await keysOfTopics(db, content.projectId, [id])).get(id) ?? null);
}

/** Of a recipient that the table of behaviour B12.3 refuses, which stored nothing: one that is no contact was never subscribed. */
async function detailsOf(ctx: Context, request: AcceptRequest, address: string) {
  const { projectId } = request.content;
  const isUnsubscribed = request.changes.some(
    ({ email, subscribed }) => email === address && subscribed === false,
  );
  return {
    email: address,
    topic: await topicOf(ctx, request),
    status: isUnsubscribed ? 'unsubscribed' : ((await findStatus(ctx.db, projectId, address)) ?? 'never'),
  };
}

/** What a violated rule is to the caller. */
export async function errorOf(ctx: Context, request: AcceptRequest, refusal: Refusal): Promise<AppError> {
  const { type, projectId } = request.content;
  switch (refusal.rule) {
    case 'sender':
      return senderNotVerified(request.senderDomain ?? request.content.from);
    case 'topic':
      return unknownTopicError('topic', (await topicOf(ctx, request)) ?? '');
    case 'unsubscribed':
      return badRequest(`${refusal.address} is not subscribed and cannot receive ${type} email`, {
        details: await detailsOf(ctx, request, refusal.address),
        suggestion:
          'Send "subscribed": true if the recipient has agreed to receive it, or use a TRANSACTIONAL template',
      });
    case 'topic_off': {
      const details = await detailsOf(ctx, request, refusal.address);
      return badRequest(
        `${refusal.address} does not receive ${details.topic === null ? 'marketing email without a topic' : `the topic ${details.topic}`}`,
        {
          details,
          suggestion:
            'Send it to who receives its topic. If the recipient has agreed to receive it, set the topic in "topics" of the contact',
        },
      );
    }
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
